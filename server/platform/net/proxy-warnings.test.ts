import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { OriginPolicy } from './origin.ts';
import { ProxyWarnings } from './proxy-warnings.ts';

interface Line {
  level: number;
  msg: string;
  origin?: string;
  ownOrigin?: string | null;
  remedy?: string;
}

/** A policy whose log is kept; `trusted` is whether the peer is in TRUST_PROXY. */
function policy({ trusted = false, publicOrigins = [] as string[] } = {}) {
  const lines: Line[] = [];
  const warnings = new ProxyWarnings(pino({}, { write: (text) => lines.push(JSON.parse(text) as Line) }));
  const origins = new OriginPolicy({
    allowedOrigins: [],
    publicOrigins,
    isTrustedProxy: () => trusted,
    warnings,
  });
  return { lines, warnings, origins };
}

function request(headers: Record<string, string>): IncomingMessage {
  return { headers, socket: { remoteAddress: '10.0.0.2' } } as unknown as IncomingMessage;
}

/** What the log advises after a page of https://chat.example was refused. */
function remedy(headers: Record<string, string>, options: Parameters<typeof policy>[0] = {}) {
  const { lines, origins } = policy(options);
  expect(() => origins.checkUpgrade(request({ origin: 'https://chat.example', ...headers }))).toThrow();
  expect(lines).toHaveLength(1);
  expect(lines[0]?.level).toBe(40);
  return lines[0]?.remedy ?? '';
}

describe('the warning about a refused origin names the setting that fixes it', () => {
  test('TLS at a proxy that sends no X-Forwarded-Proto: X-Forwarded-Proto and TRUST_PROXY', () => {
    expect(remedy({ host: 'chat.example' })).toMatch(
      /send X-Forwarded-Proto and set TRUST_PROXY .*\(10\.0\.0\.2\)/,
    );
  });

  test('X-Forwarded-Proto of an untrusted peer: TRUST_PROXY', () => {
    const headers = { host: 'chat.example', 'x-forwarded-proto': 'https' };
    expect(remedy(headers)).toMatch(/^X-Forwarded-Proto is ignored: set TRUST_PROXY .*\(10\.0\.0\.2\)/);
  });

  test('a trusted proxy without X-Forwarded-Proto', () => {
    expect(remedy({ host: 'chat.example' }, { trusted: true })).toMatch(
      /^let the proxy send X-Forwarded-Proto/,
    );
  });

  test('a Host header that lost its port', () => {
    const headers = {
      host: 'chat.example',
      origin: 'https://chat.example:8443',
      'x-forwarded-proto': 'https',
    };
    expect(remedy(headers, { trusted: true })).toMatch(/Host header with its port/);
  });

  test('another Host: pass it unchanged, or ALLOWED_ORIGINS', () => {
    expect(remedy({ host: 'backend:8080' })).toMatch(/Host header unchanged.*PUBLIC_URL.*ALLOWED_ORIGINS/);
  });

  test('X-Forwarded-Host of an untrusted peer: TRUST_PROXY', () => {
    const headers = { host: 'backend:8080', 'x-forwarded-host': 'chat.example' };
    expect(remedy(headers)).toMatch(/^X-Forwarded-Host is ignored: set TRUST_PROXY/);
  });

  test('an origin that PUBLIC_URL does not name', () => {
    expect(remedy({ host: 'chat.example' }, { publicOrigins: ['https://old.example'] })).toMatch(
      /add it to PUBLIC_URL/,
    );
  });

  test('both origins are named', () => {
    const { lines, origins } = policy();
    expect(() =>
      origins.checkUpgrade(request({ origin: 'https://chat.example', host: 'chat.example' })),
    ).toThrow();
    expect(lines[0]).toMatchObject({ origin: 'https://chat.example', ownOrigin: 'http://chat.example' });
  });
});

describe('clients cannot flood the log', () => {
  test('a pair of origins is logged once', () => {
    const { lines, origins } = policy();
    for (let times = 0; times < 5; times++) {
      for (const host of ['a.example', 'b.example']) {
        expect(() => origins.checkUpgrade(request({ origin: 'https://evil.example', host }))).toThrow();
      }
    }
    expect(lines.map((line) => line.ownOrigin)).toEqual(['http://a.example', 'http://b.example']);
  });

  test('after 100 pairs one last line says that further ones are not logged', () => {
    const { lines, origins } = policy();
    for (let page = 0; page < 500; page++) {
      expect(() =>
        origins.checkUpgrade(request({ origin: `https://${page}.example`, host: 'chat.example' })),
      ).toThrow();
    }
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)?.msg).toMatch(/not logged/);
  });

  test('a long origin is cut', () => {
    const { lines, origins } = policy();
    const origin = `https://${'a'.repeat(10_000)}.example`;
    expect(() => origins.checkUpgrade(request({ origin, host: 'chat.example' }))).toThrow();
    expect(lines[0]?.origin).toHaveLength(300);
  });
});

test('a handshake without its Upgrade header is logged once as a warning', () => {
  const { lines, warnings } = policy();
  for (let times = 0; times < 3; times++) warnings.plainWsRequest(request({ 'sec-websocket-key': 'x' }));
  warnings.plainWsRequest(request({}));
  expect(lines.map((line) => line.msg)).toEqual([
    expect.stringContaining('pass Upgrade and Connection for /ws'),
  ]);
});

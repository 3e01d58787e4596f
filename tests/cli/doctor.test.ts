/** `roomful doctor`. */
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
}, 60_000);
afterAll(async () => await server?.dispose());

async function doctor(args: string[] = [], env: Record<string, string> = {}) {
  const settings = { HOST: '127.0.0.1', PORT: String(server.port), ...env };
  const { code, stdout, stderr } = await runCommand(server, ['doctor', '--json', ...args], { env: settings });
  expect(stderr).toBe('');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; verdict: string; told: string }[] };
  const of = (name: string) => checks.find((check) => check.name === name);
  return { code, checks, of };
}

describe.skipIf(whyNotEmbedded() !== undefined)('roomful doctor', () => {
  it('a server that runs: no problem; warnings say what to do', async () => {
    const { code, checks, of } = await doctor(['--url', `http://127.0.0.1:${server.port}`]);
    expect(checks.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    expect(code).toBe(0);
    expect(of('port')?.told).toMatch(/^Roomful .* answers on /);
    expect(of('database')).toMatchObject({
      verdict: 'warning',
      told: expect.stringContaining('admin grant'),
    });
    expect(of('backup')).toMatchObject({ verdict: 'warning' });
    expect(of('WebSocket')).toMatchObject({ verdict: 'ok' });
    expect(of('headers')).toMatchObject({ verdict: 'ok' });
  });

  it('a secret that others can read is a problem, and the exit code 1', async () => {
    const secret = join(server.dataDir, 'data', 'jwt-secret');
    chmodSync(secret, 0o644);
    const { code, of } = await doctor();
    chmodSync(secret, 0o600);
    expect(code).toBe(1);
    expect(of('secret')).toMatchObject({ verdict: 'problem', told: expect.stringContaining('chmod 600') });
  });

  it('a backup folder and a data folder that cannot be made are problems', async () => {
    const file = join(server.dataDir, 'a file');
    writeFileSync(file, '');
    const backups = await doctor([], { BACKUP_DIR: join(file, 'backups') });
    expect([backups.code, backups.of('backup folder')?.verdict]).toEqual([1, 'problem']);
    const good = await doctor([], { BACKUP_DIR: join(server.dataDir, 'backups') });
    expect([good.code, good.of('backup folder')?.verdict]).toEqual([0, 'ok']);
    const data = await doctor([], { DATA_DIR: join(file, 'data') });
    expect([data.code, data.of('data folder')?.verdict]).toEqual([1, 'problem']);
  });

  it('a port that another program has, a Redis and a database that do not answer are problems', async () => {
    const other = createServer((_request, response) => response.end('not Roomful'));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const nothing = await freePort();
    const { code, of } = await doctor([], {
      ...{ PORT: String(port), REDIS_URL: `redis://127.0.0.1:${nothing}` },
      ...{ DATABASE_URL: `postgres://me:secret@127.0.0.1:${nothing}/roomful`, JWT_SECRET: 'x'.repeat(32) },
    });
    other.close();
    expect(code).toBe(1);
    expect(of('port')).toMatchObject({
      verdict: 'problem',
      told: expect.stringContaining('another program'),
    });
    expect(of('Redis')).toMatchObject({ verdict: 'problem' });
    expect(of('database')).toMatchObject({ verdict: 'problem' });
    expect(of('database')?.told).not.toContain('secret');
  });

  it('a proxy that passes no upgrade on and drops headers is named', async () => {
    const proxy = createServer(async (request, response) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${request.url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { code, of } = await doctor(['--url', `http://127.0.0.1:${port}`]);
    proxy.close();
    expect(code).toBe(1);
    expect(of('WebSocket')).toMatchObject({ verdict: 'problem', told: expect.stringContaining('Upgrade') });
    expect(of('headers')).toMatchObject({
      verdict: 'problem',
      told: expect.stringContaining('content-security-policy'),
    });
  });

  it('an address where nothing is, and one that is none', async () => {
    const { code, of } = await doctor(['--url', `http://127.0.0.1:${await freePort()}`]);
    expect([code, of('address')?.verdict]).toEqual([1, 'problem']);
    const wrong = await runCommand(server, ['doctor', '--url', 'chat']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/such as https:\/\/chat\.example\.org/),
    ]);
  });
});

/** Files that are being sent, to readers who stop reading. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { send, type Target } from './http.ts';
import { bearer } from './sent-files.ts';
import type { Login } from './users.ts';

/** Asks for a file; `localAddress`: the address that the server sees. */
export function askFor(target: Target, login: Login, path: string, localAddress = '127.0.0.1') {
  const asked = request({
    ...{ host: '127.0.0.1', port: target.port, path, localAddress },
    agent: false,
    headers: bearer(login),
  });
  asked.end();
  return asked;
}

/** Reads the beginning, and then nothing. */
export async function beginReading(...asks: Parameters<typeof askFor>): Promise<IncomingMessage> {
  const [response] = (await once(askFor(...asks), 'response')) as [IncomingMessage];
  response.on('error', () => undefined).pause();
  return response;
}

export async function filesSent(target: Target): Promise<number> {
  const { text } = await send(target, '/metrics');
  return Number(/^roomful_files_sent (\d+)$/m.exec(text)?.[1]);
}

/** What has not arrived never does. */
export async function expectCut(response: IncomingMessage): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  response.on('error', () => undefined).resume();
  await closed;
  expect(response.complete).toBe(false);
}

/** Requests as raw bytes, to be written one after another to a connection. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Target } from './http.ts';

const HOST = 'Host: 127.0.0.1\r\n';

export function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
}

export function postJson(path: string, body: unknown, headers = ''): string {
  const text = JSON.stringify(body);
  const length = `Content-Length: ${Buffer.byteLength(text)}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${HOST}${length}${headers}\r\n${text}`;
}

/** A login, slow because it hashes a password. Each has a name of its own, for the limit on failed logins. */
export function slowLogin(): string {
  return postJson('/api/v1/auth/login', { username: randomUUID(), password: 'wrong password' });
}

/** The upgrade to HTTP/2 that curl and Java's client ask for. */
export function h2cUpgrade(path = '/healthz'): string {
  return get(path, 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n');
}

/** A correct opening handshake; a ticket is in the query. */
export function wsUpgrade(path = '/ws', headers = ''): string {
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  return get(path, `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}${headers}`);
}

/** A connection that never throws; `resetAndDestroy()` sends a RST. */
export async function connectRaw(target: Target): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: target.port });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket;
}

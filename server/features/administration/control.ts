/**
 * The control socket: a Unix socket in the data folder, through which the command line asks the running server. Whoever
 * may read the data folder may use it. One request and one answer for a connection, a line of JSON each.
 */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createDataDir } from '../../data/storage/sqlite/data-dir.ts';
import type { Logger } from '../../platform/log.ts';
import { OperatorError } from './operator-command.ts';

/** A path of a Unix socket has 107 bytes at most. */
const PATH_MAX = 107;
const REQUEST_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 16;

export function controlPath(dataDir: string): string {
  return join(dataDir, 'control.sock');
}

export interface Control {
  close(): void;
}

/**
 * Listens; undefined where there can be no such socket, which is logged. Only the owner of the data folder calls it.
 */
export async function startControl(
  dataDir: string,
  run: (name: string, args: unknown) => Promise<unknown>,
  log: Logger,
): Promise<Control | undefined> {
  const path = controlPath(dataDir);
  if (process.platform === 'win32' || Buffer.byteLength(path) > PATH_MAX) {
    log.warn({ path }, 'no control socket: commands need the server to be stopped');
    return undefined;
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, run, log));
  server.maxConnections = CONNECTIONS_MAX;
  const isListening = await takePlace(server, dataDir, path).then(
    () => true,
    (error) => {
      log.warn({ err: error, path }, 'no control socket: commands need the server to be stopped');
      return false;
    },
  );
  if (!isListening) return undefined;
  server.unref();
  return {
    close() {
      server.close();
      rmSync(path, { force: true });
    },
  };
}

/** With PostgreSQL nothing else may be in the data folder, and it may not be there. */
async function takePlace(server: Server, dataDir: string, path: string): Promise<void> {
  createDataDir(dataDir);
  // Left by a process that was killed: the lock of the database says that there is no other.
  rmSync(path, { force: true });
  await listen(server, path);
}

async function listen(server: Server, path: string): Promise<void> {
  // The folder is private already; the socket is from its first moment on.
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  } finally {
    process.umask(umask);
  }
}

function serve(socket: Socket, run: (name: string, args: unknown) => Promise<unknown>, log: Logger): void {
  let text = '';
  let isAsked = false;
  socket.setEncoding('utf8').setTimeout(REQUEST_TIMEOUT_MS, () => {
    if (!isAsked) socket.destroy();
  });
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    if (isAsked) return;
    text += chunk;
    if (text.length > REQUEST_MAX) return void socket.destroy();
    const end = text.indexOf('\n');
    if (end < 0) return;
    isAsked = true;
    respond(text.slice(0, end), run, log).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
  });
  socket.on('end', () => {
    if (!isAsked) socket.destroy();
  });
}

async function respond(
  line: string,
  run: (name: string, args: unknown) => Promise<unknown>,
  log: Logger,
): Promise<{ result: unknown } | { error: string }> {
  try {
    const { command, args } = JSON.parse(line) as { command?: unknown; args?: unknown };
    const result = await run(String(command), args);
    log.info({ command }, 'command of the operator');
    return { result };
  } catch (error) {
    if (error instanceof OperatorError) return { error: error.message };
    if (error instanceof SyntaxError) return { error: 'The request is not a line of JSON.' };
    log.error({ err: error }, 'a command of the operator failed');
    return { error: 'The server could not do it; its log says why.' };
  }
}

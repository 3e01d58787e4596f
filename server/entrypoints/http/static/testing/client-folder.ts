/** A client folder for tests, with everything that can go wrong in one, and a server that serves it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { DEFAULT_SERVER_NAME } from '../../../../../protocol/constants.ts';
import { AppError } from '../../../../../protocol/errors.ts';
import { registerStatic, serveClient } from '../static.ts';

export const INDEX = '<!doctype html><title>entry page</title>';
export const SCRIPT = `export const text = '${'roomful '.repeat(300)}';`;
/** Must never be served. */
export const SECRET = 'outside the folder';

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A temporary folder: the client is in `client`, and what must stay out of reach in `outside`. */
export class ClientFolder {
  readonly dir = mkdtempSync(join(tmpdir(), 'roomful-static-'));

  constructor() {
    this.write('outside/secret.txt', SECRET);
    this.write('client/index.html', INDEX);
    this.write('client/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    this.write('client/assets/app-1a2b3c.js', SCRIPT);
    this.write('client/assets/app-1a2b3c.js.br', brotliCompressSync(SCRIPT));
    this.write('client/assets/app-1a2b3c.js.gz', gzipSync(SCRIPT));
    this.write('client/assets/odd name é%20.txt', 'odd');
    this.write('client/assets/trap.js', 'trap');
    this.write('client/.env', SECRET);
    this.write('client/.git/config', SECRET);
    this.write('client/gone.txt', 'here at the start');
    symlinkSync('../outside/secret.txt', join(this.dir, 'client/leak.txt'));
    symlinkSync('../../outside/secret.txt', join(this.dir, 'client/assets/trap.js.br'));
    symlinkSync('../outside', join(this.dir, 'client/leak'));
    symlinkSync('.env', join(this.dir, 'client/env.txt'));
    symlinkSync('nowhere', join(this.dir, 'client/dangling.txt'));
    symlinkSync('favicon.svg', join(this.dir, 'client/icon.svg'));
    symlinkSync('.', join(this.dir, 'client/loop'));
  }

  get client(): string {
    return join(this.dir, 'client');
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.dir, path)), { recursive: true });
    writeFileSync(join(this.dir, path), content);
  }

  remove(): void {
    rmSync(this.dir, { recursive: true });
  }
}

/** A server that makes the same calls as the real one, as far as static files go, with a short error mapper. */
export async function serve(
  clientDir: string | null,
  serverName = async () => DEFAULT_SERVER_NAME,
  serverIcon: () => Promise<string | undefined> = async () => undefined,
): Promise<FastifyInstance> {
  const server = fastify({
    frameworkErrors: (_error, _request, reply) =>
      void (reply as FastifyReply).code(400).send({ error: 'bad request' }),
  });
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof AppError;
    return reply
      .code(known ? error.status : ((error as { statusCode?: number }).statusCode ?? 500))
      .send({ error: known ? error.message : 'other' });
  });
  server.setNotFoundHandler(serveClient);
  await registerStatic(server, { clientDir, serverName, serverIcon });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return server;
}

/** Sends the target exactly as written: `fetch` would normalize it. */
export function send(
  server: FastifyInstance,
  target: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { port } = server.server.address() as AddressInfo;
  return new Promise<Reply>((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }),
      );
    })
      .once('error', reject)
      .end();
  });
}

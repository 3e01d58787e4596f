/** The web client: its files, and its entry page for every address that the client routes itself. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_SERVER_NAME } from '../../../../protocol/constants.ts';
import { AppError } from '../../../../protocol/errors.ts';
import { filePath } from '../../../../protocol/file-names.ts';
import { decodedPath, normalizedPath } from '../../../platform/net/request-path.ts';
import { type ClientFile, type ClientFiles, ENTRY_PAGE, indexClientFiles } from './client-files.ts';
import { sendSmallFilesFromMemory } from './small-files.ts';

export { findClientDir } from './client-files.ts';

const DECORATOR = 'clientFiles';
const ASSETS = '/assets/';
const MANIFEST = '/manifest.webmanifest';
/**
 * A path with such an ending, or with a segment that begins with a dot, names a file and not a page. A missing file is
 * a 404: with the entry page in its place, a browser would keep an old service worker, for example.
 */
const FILE =
  /\/\.|\.(?:m?js|css|map|json|webmanifest|wasm|svg|png|jpe?g|gif|webp|avif|ico|woff2?|[ot]tf|mp[34]|web[am]|ogg|txt|xml|pdf|zip|gz|br)$/i;

/** The page that is served when no client is built. It has no style and no script: the CSP allows neither inline. */
const NO_CLIENT_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Roomful</title></head>
<body>
<h1>Roomful is running, but its web client is not built</h1>
<p>Build it and start again:</p>
<pre>npm ci
npm start</pre>
<p>Or set <code>CLIENT_DIR</code> to a folder that holds a built client. The interface under <code>/api/v1</code>
works already.</p>
</body>
</html>
`;

/**
 * Prepares `app` for `serveClient`. It adds no route: the not-found handler calls `serveClient`, so that a route of the
 * API always comes first. The files are indexed here and never again: a new build needs a new start.
 */
export async function registerStatic(
  app: FastifyInstance,
  options: {
    clientDir: string | null;
    serverName: () => Promise<string>;
    serverIcon: () => Promise<string | undefined>;
  },
): Promise<void> {
  const files = options.clientDir === null ? null : indexClientFiles(options.clientDir);
  const { serverName, serverIcon } = options;
  app.decorate(DECORATOR, { files, serverName, serverIcon });
  if (files === null) return;
  sendSmallFilesFromMemory(app);
  await app.register(fastifyStatic, {
    root: files.dir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    acceptRanges: false,
    index: false,
  });
}

/** Whether the target names a file of the client. The rate limit counts any other as an unknown path. */
export function isClientFile(app: FastifyInstance, target: string): boolean {
  const path = normalizedPath(target);
  return path !== null && filesOf(app)?.byPathname.has(path === '/' ? `/${ENTRY_PAGE}` : path) === true;
}

/** Serves a file or the entry page to a GET or HEAD outside the API. Rejects with `bad_request` or `not_found`. */
export async function serveClient(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = decodedPath(request.raw.url ?? '');
  if (path === null || isHostile(path)) throw new AppError('bad_request');
  const files = filesOf(request.server);
  const file = files?.byPathname.get(path);
  if (files && file && path === MANIFEST && (await sendNamedManifest(reply, files, file))) return reply;
  if (files && file) return sendClientFile(reply, files, file);
  if (path.startsWith(ASSETS) || FILE.test(path)) throw new AppError('not_found');
  const entryPage = files?.byPathname.get(`/${ENTRY_PAGE}`);
  if (files && entryPage) return sendClientFile(reply, files, entryPage);
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(NO_CLIENT_PAGE);
}

interface Decorator {
  files: ClientFiles | null;
  serverName(): Promise<string>;
  serverIcon(): Promise<string | undefined>;
}

function filesOf(app: FastifyInstance): ClientFiles | null {
  return app.getDecorator<Decorator>(DECORATOR).files;
}

/**
 * Sends the manifest with the name and the picture of the server, by which an installed client is listed on a device.
 * False: the server has the default ones, or the file is no manifest.
 */
async function sendNamedManifest(
  reply: FastifyReply,
  { dir }: ClientFiles,
  { path }: ClientFile,
): Promise<boolean> {
  const server = reply.server.getDecorator<Decorator>(DECORATOR);
  const [name, icon] = [await server.serverName(), await server.serverIcon()];
  if (name === DEFAULT_SERVER_NAME && icon === undefined) return false;
  const text = await readFile(join(dir, path), 'utf8').catch(() => '');
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof manifest !== 'object' || manifest === null) return false;
  reply.header('cache-control', 'no-cache').type('application/manifest+json');
  // Its type is what the response says; the larger of those that fit is taken.
  const icons =
    icon === undefined ? {} : { icons: [{ src: filePath(icon, 'icon'), sizes: 'any', purpose: 'any' }] };
  reply.send(JSON.stringify({ ...manifest, name, short_name: name, ...icons }));
  return true;
}

function sendClientFile(reply: FastifyReply, files: ClientFiles, file: ClientFile): FastifyReply {
  // Deleted since the start. @fastify/static would respond in plain text.
  if (!existsSync(join(files.dir, file.path))) throw new AppError('not_found');
  const immutable = `/${file.path}`.startsWith(ASSETS); // Named by their content's hash.
  reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (file.compressed)
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  return reply.sendFile(file.path);
}

/**
 * Whether a path has what no honest client sends: dot segments, backslashes, empty segments or control characters. They
 * count however many times they are escaped, because a proxy on the way may have unescaped once already.
 */
function isHostile(path: string): boolean {
  let plain = path;
  for (let depth = 0; depth < 4; depth++) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the pattern is for.
    if (/[\\\x00-\x1f\x7f]|\/\/|\/\.{1,2}(?:\/|$)/.test(plain)) return true;
    if (!plain.includes('%')) return false;
    const unescaped = unescapeAscii(plain);
    if (unescaped === plain) return false;
    plain = unescaped;
  }
  return true;
}

/** Unescapes only what is ASCII, so that a literal `%` in a name is no error. */
function unescapeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

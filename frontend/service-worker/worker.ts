/**
 * The service worker: one build of the client, whole, kept on the device. Pages open from it, with or without a server.
 *
 * - What is kept is one build: every file is checked against the hash that this worker was built with, so a server that
 *   changes over in the middle of an install gives no mixture, but no install.
 * - A newer build is fetched in the background and waits: pages keep the build that they were opened with, until the
 *   user asks for the newer one or has closed them all.
 * - The interface of the server is never touched.
 */

interface Build {
  readonly version: string;
  readonly files: readonly { readonly path: string; readonly integrity: string }[];
}

declare const self: ServiceWorkerGlobalScope;
/** Put in by plugin.ts. */
declare const BUILD: Build;

const build: Build = BUILD;

const PREFIX = 'roomful-build-';
const OWN = PREFIX + build.version;
/** Remembers which build was in use before this one. */
const STATE = 'roomful-state';
const IN_USE = '/build-in-use';

const ENTRY_PAGE = '/';
const ASSETS = '/assets/';
/** As in server/http/static/static.ts: these belong to the interface. */
const RESERVED = /^\/(api|ws|health|healthz|ready|version)(\/|$)/;
const files = new Set(build.files.map(({ path }) => path));

self.addEventListener('install', (event) => event.waitUntil(keepBuild()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', (event) => {
  // The page that asks reloads itself then; the others go on with the assets that they know.
  if (event.data === 'take over') event.waitUntil(self.skipWaiting());
});
self.addEventListener('fetch', (event) => {
  const kept = keptUnder(event.request);
  if (kept !== null) event.respondWith(answer(event.request, kept));
});

/** Fetches every file of this build, or fails as a whole. */
async function keepBuild(): Promise<void> {
  const cache = await caches.open(OWN);
  try {
    await Promise.all(build.files.map((file) => keepFile(cache, file)));
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
}

async function keepFile(cache: Cache, { path, integrity }: Build['files'][number]): Promise<void> {
  // Named by its content's hash, an asset may come from the browser's own cache, where the page has just put it.
  const response = await fetch(path, {
    integrity,
    cache: path.startsWith(ASSETS) ? 'default' : 'no-cache',
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  await cache.put(path, response);
}

/** Deletes what nobody needs any more; a page that is open may need the assets of the build before. */
async function takeOver(): Promise<void> {
  const state = await caches.open(STATE);
  const before = await (await state.match(IN_USE))?.text();
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  await state.put(IN_USE, new Response(OWN));
  const outdated = (await caches.keys()).filter(
    (name) => name.startsWith(PREFIX) && name !== OWN && (name !== before || open.length === 0),
  );
  await Promise.all(outdated.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The path under which the answer is kept; null: none of our business. */
function keptUnder(request: Request): string | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || RESERVED.test(pathname)) return null;
  if (files.has(pathname) || pathname.startsWith(ASSETS)) return pathname;
  // Every address that the client makes up is its entry page; a name with a dot is a file of the server's.
  const isPage = request.mode === 'navigate' && !/\.[^/]*$/.test(pathname);
  return isPage ? ENTRY_PAGE : null;
}

/** From this build, an asset also from another one; the server is asked when the browser has thrown it away. */
async function answer(request: Request, path: string): Promise<Response> {
  const own = await caches.match(path, { cacheName: OWN, ignoreVary: true });
  if (own !== undefined) return own;
  const other = path.startsWith(ASSETS) ? await caches.match(path, { ignoreVary: true }) : undefined;
  return other ?? fetch(request);
}

export {};

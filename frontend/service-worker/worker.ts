/**
 * The service worker: one build of the client, whole, kept on the device. Pages open from it, with or without a server.
 *
 * - What is kept is one build. Every file is checked against the hash that this worker was built with: when the server
 *   changes over in the middle of an install, the install fails rather than mix two builds.
 * - A newer build is fetched in the background and waits. Pages keep the build that they were opened with until the
 *   user asks for the newer one or has closed them all.
 * - Requests to the server's API never get a response from here.
 *
 * It also shows the notifications that come by Web Push (notifications.ts).
 */

import { handlePushes } from './notifications.ts';

interface Build {
  readonly version: string;
  readonly files: readonly { readonly path: string; readonly integrity: string }[];
}

declare const self: ServiceWorkerGlobalScope;
/** Filled in by plugin.ts. */
declare const BUILD: Build;

const build: Build = BUILD;

const PREFIX = 'roomful-build-';
const OWN = PREFIX + build.version;
/** Holds the name of the build that was in use before this one. */
const STATE = 'roomful-state';
const IN_USE = '/build-in-use';

const ENTRY_PAGE = '/';
const ASSETS = '/assets/';
/** As in server/entrypoints/http/static/static.ts: these paths belong to the API. */
const RESERVED = /^\/(api|files|ws|health|healthz|ready|version)(\/|$)/;
const files = new Set(build.files.map(({ path }) => path));

self.addEventListener('install', (event) => event.waitUntil(keepBuild()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', (event) => {
  // The page that asks then reloads itself. The others go on with the assets that they know.
  if (event.data === 'take over') event.waitUntil(self.skipWaiting());
});
self.addEventListener('fetch', (event) => {
  const kept = keptUnder(event.request);
  if (kept !== null) event.respondWith(answer(event.request, kept));
});
handlePushes();

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
  // An asset is named by the hash of its content, so it may come from the browser's cache, where the page just put it.
  const response = await fetch(path, {
    integrity,
    cache: path.startsWith(ASSETS) ? 'default' : 'no-cache',
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  await cache.put(path, response);
}

/** Deletes the builds that no page needs any more. An open page may still need the assets of the build before. */
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

/** The path under which the response is kept; null when this worker does not handle the request. */
function keptUnder(request: Request): string | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || RESERVED.test(pathname)) return null;
  if (files.has(pathname) || pathname.startsWith(ASSETS)) return pathname;
  // Every address of the client leads to its entry page. A name with a dot is a file on the server.
  const isPage = request.mode === 'navigate' && !/\.[^/]*$/.test(pathname);
  return isPage ? ENTRY_PAGE : null;
}

/** Responds from this build, for an asset also from another one. Asks the server when the browser evicted the file. */
async function answer(request: Request, path: string): Promise<Response> {
  const own = await caches.match(path, { cacheName: OWN, ignoreVary: true });
  if (own !== undefined) return own;
  const other = path.startsWith(ASSETS) ? await caches.match(path, { ignoreVary: true }) : undefined;
  return other ?? fetch(request);
}

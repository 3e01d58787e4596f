/** The page's side of the service worker: registers it, learns of newer builds, and changes over when the user asks. */
import { create } from 'zustand';
import { scriptPolicy, WORKER_PATH } from './script-policy.ts';

interface UpdateStore {
  /** A newer build is on the device: the next page that opens may have it. */
  readonly ready: boolean;
}

export const useUpdate = create<UpdateStore>(() => ({ ready: false }));

const CHECK_EVERY_MS = 60 * 60 * 1000;
/** A worker that is busy lets the newer one take over only when its page goes. After this time the page is reloaded. */
const TAKE_OVER_MS = 3000;
/**
 * The entry script of the build that the user asked to leave. Kept over reloads: the older build may come once more.
 */
const LEAVING_KEY = 'chat_leaving_build';
/** As in service-worker/worker.ts. */
const CACHES = /^roomful-(?:build-|state$)/;

let registration: ServiceWorkerRegistration | null = null;
/** The server has said whether there is a newer build. */
let hasChecked = false;
/** The user asked for the newer build. The page is reloaded when its worker takes over, however late that is. */
let isLeaving = false;
/** Set from the user's request until the reload. */
let reloadTimer: ReturnType<typeof setTimeout> | undefined;

/** Browsers have service workers only in a secure context. Elsewhere pages always come from the server. */
export function startServiceWorker(): void {
  const { serviceWorker } = navigator;
  if (!import.meta.env.PROD || serviceWorker === undefined) return;
  let controlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isLeaving) reload();
    // The user has changed over in another tab. This one goes on until they ask for it here.
    else if (controlled) useUpdate.setState({ ready: true });
    controlled = true;
  });
  // The page itself comes first.
  if (document.readyState === 'complete') void register(serviceWorker);
  else window.addEventListener('load', () => void register(serviceWorker), { once: true });
  setInterval(checkForUpdate, CHECK_EVERY_MS);
}

async function register(container: ServiceWorkerContainer): Promise<void> {
  try {
    const url = scriptPolicy.createScriptURL(WORKER_PATH);
    registration = await container.register(url, { updateViaCache: 'none' });
  } catch {
    // No storage, no server just now, or another client there: the next page tries again.
    return await leaveIfReplaced().catch(() => undefined);
  }
  const registered = registration;
  if (goesOnLeaving()) {
    isLeaving = true;
    // It may have taken over before this page listened for that.
    if (registered.waiting === null) return reload();
    registered.waiting.postMessage('take over');
  }
  const tell = () => {
    if (registered.waiting !== null && container.controller !== null) useUpdate.setState({ ready: true });
  };
  tell();
  registered.addEventListener('updatefound', () =>
    registered.installing?.addEventListener('statechange', tell),
  );
  // Registering an unchanged address asks the server for it only later, and a failure is then not reported. A worker
  // that is still being installed is new: asking again would have to wait for its end, when there may be no server.
  if (registered.installing === null) checkForUpdate();
}

/** Asks the server for a newer build. A page may stay open for weeks, so it is called when there may be one. */
export function checkForUpdate(): void {
  registration?.update().then(
    () => {
      hasChecked = true;
    },
    // A page that is being closed has no registration any more.
    () => leaveIfReplaced().catch(() => undefined),
  );
}

/** Asks when no request has had a response so far: the page was opened without the server. */
export function checkForFirstUpdate(): void {
  if (!hasChecked) checkForUpdate();
}

/**
 * A server that no longer has this worker serves another client, and a worker that stayed would keep that client from
 * everybody who was here before. Removes it and what it keeps, and offers the page that the server has now.
 */
async function leaveIfReplaced(): Promise<void> {
  const present = await navigator.serviceWorker.getRegistration();
  if (present === undefined || !(await isWorkerGone())) return;
  await present.unregister();
  registration = null;
  const kept = (await caches.keys()).filter((name) => CACHES.test(name));
  await Promise.all(kept.map((name) => caches.delete(name)));
  useUpdate.setState({ ready: true });
}

/** Only a response of the server counts: without one it may be down, and the client must go on without it. */
async function isWorkerGone(): Promise<boolean> {
  try {
    const { status } = await fetch(WORKER_PATH, { cache: 'no-store' });
    return status === 404 || status === 410;
  } catch {
    return false;
  }
}

/** Not now: the newer build comes with the next page that opens. */
export function dismissUpdate(): void {
  useUpdate.setState({ ready: false });
}

/**
 * Changes over to the newer build. Drafts and unsent messages stay on the device, as in any reload. When the older
 * build comes back, the user may call it again.
 */
export function applyUpdate(): void {
  if (reloadTimer !== undefined) return;
  isLeaving = true;
  const waiting = registration?.waiting;
  if (waiting == null) return reload();
  waiting.postMessage('take over');
  reloadTimer = setTimeout(() => {
    setLeaving(ownEntryScript());
    window.location.reload();
  }, TAKE_OVER_MS);
}

/** Without anything left to wait for. */
function reload(): void {
  clearTimeout(reloadTimer);
  setLeaving(null);
  window.location.reload();
}

/** Whether this page is of the build that the user asked to leave. */
function goesOnLeaving(): boolean {
  try {
    const left = sessionStorage.getItem(LEAVING_KEY);
    if (left !== null && left === ownEntryScript()) return true;
  } catch {
    return false;
  }
  setLeaving(null);
  return false;
}

function setLeaving(build: string | null): void {
  try {
    if (build === null) sessionStorage.removeItem(LEAVING_KEY);
    else sessionStorage.setItem(LEAVING_KEY, build);
  } catch {
    // If the page is then of the older build, the newer one comes with the next page that opens.
  }
}

function ownEntryScript(): string {
  return document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
}

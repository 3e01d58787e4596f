/** The page's side of the service worker: brings it in, learns of newer builds, and changes over when it is told to. */
import { create } from 'zustand';
import { scriptPolicy, WORKER_PATH } from './script-policy.ts';

interface UpdateStore {
  /** A newer build is on the device: the next page that is opened may have it. */
  readonly ready: boolean;
}

export const useUpdate = create<UpdateStore>(() => ({ ready: false }));

const CHECK_EVERY_MS = 60 * 60 * 1000;
/** The newer worker takes over within a moment, or it is not there any more. */
const TAKE_OVER_MS = 3000;

let registration: ServiceWorkerRegistration | null = null;
let reloading = false;

/** Browsers have service workers in a secure context alone; without one, pages come from the server, as ever. */
export function startServiceWorker(): void {
  const { serviceWorker } = navigator;
  if (!import.meta.env.PROD || serviceWorker === undefined) return;
  let controlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (reloading) window.location.reload();
    // In another tab the user has changed over; this one goes on until it is told to.
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
    return; // No storage, or no server just now: the next page tries again.
  }
  const told = registration;
  const tell = () => {
    if (told.waiting !== null && container.controller !== null) useUpdate.setState({ ready: true });
  };
  tell();
  told.addEventListener('updatefound', () => told.installing?.addEventListener('statechange', tell));
}

/** Asks the server for a newer build; for moments when there may be one, as a page may be open for weeks. */
export function checkForUpdate(): void {
  registration?.update().catch(() => {});
}

/** Not now: it comes with the next page that is opened. */
export function dismissUpdate(): void {
  useUpdate.setState({ ready: false });
}

/** Goes over to the newer build. Drafts and unsent messages are kept on the device, as in any reload. */
export function applyUpdate(): void {
  const waiting = registration?.waiting;
  if (reloading) return;
  reloading = true;
  if (waiting == null) return window.location.reload();
  waiting.postMessage('take over');
  setTimeout(() => window.location.reload(), TAKE_OVER_MS);
}

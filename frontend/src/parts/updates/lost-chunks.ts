/**
 * A page that was opened before the server changed over may ask for code that is gone. Most pages find it in the
 * service worker's cache. One that does not is reloaded, once, into the present build.
 */

const RELOADED_KEY = 'chat_reloaded';
const ENTRY_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/;

/** Vite reports every import that failed. */
export function recoverLostChunks(): void {
  window.addEventListener('vite:preloadError', () => void reloadIfOutdated());
}

async function reloadIfOutdated(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  const current = await servedEntryScript();
  // Without a server, or with the same build on it, a reload would change nothing.
  if (own == null || current === null || current === own) return;
  if (sessionStorage.getItem(RELOADED_KEY) === own) return;
  sessionStorage.setItem(RELOADED_KEY, own);
  // When that is lost, too, a reload does: there is no newer worker to wait for.
  await import('./service-worker.ts').then(
    ({ applyUpdate }) => applyUpdate(),
    () => window.location.reload(),
  );
}

/** The entry script of the page that the server has now; null when there is no response. */
async function servedEntryScript(): Promise<string | null> {
  try {
    const response = await fetch('/index.html', { cache: 'no-store' });
    return ENTRY_SCRIPT.exec(await response.text())?.[1] ?? null;
  } catch {
    return null;
  }
}

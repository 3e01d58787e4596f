/**
 * A page that was opened before the server changed over asks for code that is not there any more. Most find it in the
 * service worker's cache; one that does not is loaded again, once, and then is of the present build.
 */
import { applyUpdate } from './service-worker.ts';

const RELOADED_KEY = 'chat_reloaded';
const ENTRY_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/;

/** Vite tells of every import that failed. */
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
  applyUpdate();
}

/** The script that the server's entry page begins with; null when there is no answer. */
async function servedEntryScript(): Promise<string | null> {
  try {
    const response = await fetch('/index.html', { cache: 'no-store' });
    return ENTRY_SCRIPT.exec(await response.text())?.[1] ?? null;
  } catch {
    return null;
  }
}

import { useSyncExternalStore } from 'react';
import { filePath } from '../../../client/index.ts';
import { doorRequests } from './admin-requests.ts';

let shown: string | undefined;
const listeners = new Set<() => void>();

/** The key of the server's picture; undefined: it has none, or that is not known yet. */
export function useServerIcon(): string | undefined {
  return useSyncExternalStore(listen, () => shown);
}

/** Shows this picture wherever the mark would be. The sidebar's is drawn by CSS (Sidebar.module.css). */
export function showServerIcon(key: string | undefined): void {
  shown = key;
  const { style, dataset } = document.documentElement;
  if (key === undefined) {
    style.removeProperty('--server-icon');
    delete dataset.icon;
  } else {
    style.setProperty('--server-icon', `url("${iconPath(key)}")`);
    dataset.icon = '';
  }
  for (const tell of listeners) tell();
}

/** Where the picture is. Nobody has to be signed in for it. */
export function iconPath(key: string): string {
  return filePath(key, 'icon');
}

/** Asks the server for its picture, once a page. */
export function loadServerIcon(): void {
  doorRequests()
    .server()
    .then(
      ({ icon }) => showServerIcon(icon),
      () => undefined,
    );
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => void listeners.delete(onChange);
}

import { useSyncExternalStore } from 'react';
import { chat } from './chat.ts';
import { localStore } from './device.ts';

/** Kept per user, so that signing out deletes it. */
function keyOf(userId: number): string {
  return `chat_server:${userId}`;
}

/** What the server is called, as its line said last, on this page or an earlier one; null: not known. */
export function useServerName(): string | null {
  return useSyncExternalStore(listen, read);
}

/** An admin has renamed the server on this page. */
export function keepServerName(name: string): void {
  const { user } = chat();
  if (user !== null) localStore.setItem(keyOf(user.id), name);
  for (const tell of listeners) tell();
}

const listeners = new Set<() => void>();

function listen(onChange: () => void): () => void {
  listeners.add(onChange);
  const unlisten = chat().line.on('open', () => {
    const { serverName } = chat();
    if (serverName !== null) keepServerName(serverName);
  });
  return () => {
    listeners.delete(onChange);
    unlisten();
  };
}

function read(): string | null {
  const { user, serverName } = chat();
  return (user === null ? null : localStore.getItem(keyOf(user.id))) ?? serverName;
}

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

function listen(onChange: () => void): () => void {
  return chat().line.on('open', () => {
    const { user, serverName } = chat();
    if (user !== null && serverName !== null) localStore.setItem(keyOf(user.id), serverName);
    onChange();
  });
}

function read(): string | null {
  const { user, serverName } = chat();
  return serverName ?? (user === null ? null : localStore.getItem(keyOf(user.id)));
}

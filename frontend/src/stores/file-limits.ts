import { useSyncExternalStore } from 'react';
import type { FileLimits } from '../../../client/index.ts';
import { chat } from './chat.ts';
import { localStore } from './device.ts';

/** Kept per user, so that signing out deletes it. */
function keyOf(userId: number): string {
  return `chat_files:${userId}`;
}

/** What the server takes, as its line said last, on this page or an earlier one; null: nothing, or it is not known. */
export function useFileLimits(): FileLimits | null {
  const kept = useSyncExternalStore(listen, read);
  return parse(kept);
}

export function fileLimits(): FileLimits | null {
  return parse(read());
}

function listen(onChange: () => void): () => void {
  const keep = () => {
    const { user, fileLimits: limits } = chat();
    if (user !== null && limits !== null) localStore.setItem(keyOf(user.id), write(limits));
  };
  keep();
  return chat().line.on('open', () => {
    keep();
    onChange();
  });
}

function read(): string | null {
  const { user, fileLimits: limits } = chat();
  if (limits !== null) return write(limits);
  return user === null ? null : localStore.getItem(keyOf(user.id));
}

function write({ fileBytes, files }: FileLimits): string {
  return `${fileBytes} ${files}`;
}

function parse(kept: string | null): FileLimits | null {
  const [fileBytes = 0, files = 0] = (kept ?? '').split(' ').map(Number);
  return fileBytes > 0 && files > 0 ? { fileBytes, files } : null;
}

import { useEffect, useState } from 'react';
import { draftKey, localStore } from '../../stores/device.ts';
import { saveDraft } from '../../stores/drafts.ts';

/**
 * The text that is being written in a room. It survives reloads, and all tabs have the same one: what is sent or
 * changed in another tab is sent or changed here.
 */
export function useDraft(userId: number, roomId: number): [content: string, change: (next: string) => void] {
  const key = draftKey(userId, roomId);
  const [content, setContent] = useState(() => localStore.getItem(key) ?? '');

  useEffect(() => {
    // Only other tabs are told of a change.
    function onStorage(event: StorageEvent): void {
      if (event.key === key) setContent(event.newValue ?? '');
    }
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key]);

  function change(next: string): void {
    setContent(next);
    saveDraft(userId, roomId, next);
  }

  return [content, change];
}

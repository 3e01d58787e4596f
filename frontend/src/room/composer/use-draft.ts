import { useEffect, useState } from 'react';
import { draftKey, localStore } from '../../stores/device.ts';
import { saveDraft } from '../../stores/drafts.ts';

/**
 * The draft of a room. It survives reloads, and all tabs share it: what is sent or changed in one tab is sent or
 * changed in the others.
 */
export function useDraft(userId: number, roomId: number): [content: string, change: (next: string) => void] {
  const key = draftKey(userId, roomId);
  const [content, setContent] = useState(() => localStore.getItem(key) ?? '');

  useEffect(() => {
    // The event fires only in the other tabs.
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

import { useEffect, useState } from 'react';
import { localStore } from '../../stores/device.ts';

/**
 * The draft that is kept under a key. It survives reloads, and all tabs share it: what is sent or changed in one tab is
 * sent or changed in the others.
 */
export function useDraft(
  key: string,
  onSaved?: (content: string) => void,
): [content: string, change: (next: string) => void] {
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
    if (next === '') localStore.removeItem(key);
    else localStore.setItem(key, next);
    onSaved?.(next);
  }

  return [content, change];
}

import { useEffect, useRef, useState } from 'react';
import { localStore } from '../../stores/device.ts';

/** Writing a longer draft takes longer than a key may. */
const LONG = 20_000;
const LONG_WAITS_MS = 500;

/**
 * The draft that is kept under a key. It survives reloads, and all tabs share it: what is sent or changed in one tab is
 * sent or changed in the others.
 */
export function useDraft(
  key: string,
  onSaved?: (content: string) => void,
): [content: string, change: (next: string) => void] {
  const [content, setContent] = useState(() => localStore.getItem(key) ?? '');
  const later = useRef(new LaterWrite());

  useEffect(() => {
    const { current } = later;
    // The event fires only in the other tabs.
    function onStorage(event: StorageEvent): void {
      if (event.key !== key) return;
      current.cancel();
      setContent(event.newValue ?? '');
    }
    const flush = () => current.flush();
    window.addEventListener('storage', onStorage);
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', flush);
    return () => {
      flush();
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', flush);
    };
  }, [key]);

  function change(next: string): void {
    setContent(next);
    later.current.cancel();
    if (next === '') localStore.removeItem(key);
    else if (next.length <= LONG) localStore.setItem(key, next);
    else later.current.set(() => localStore.setItem(key, next));
    onSaved?.(next);
  }

  return [content, change];
}

/** A write that waits, so that only the last of several is made. */
class LaterWrite {
  #write: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  set(write: () => void): void {
    this.#write = write;
    this.#timer = setTimeout(() => this.flush(), LONG_WAITS_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#write = null;
  }

  flush(): void {
    const write = this.#write;
    this.cancel();
    write?.();
  }
}

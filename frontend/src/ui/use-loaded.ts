import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { explain } from '../i18n/errors.ts';
import { useOwnRooms } from '../stores/own-rooms.ts';
import { showToast } from '../stores/toasts.ts';

export type Loaded<T> =
  | { readonly status: 'loading' }
  /** `isLastSeen`: the server has not responded; the device has it from before. */
  | { readonly status: 'ready'; readonly value: T; readonly isLastSeen?: boolean }
  | { readonly status: 'failed'; readonly error: unknown };

/** What the device has of an earlier response. */
export interface LastSeen<T> {
  /** Null: nothing. */
  read(): Promise<T | null>;
  keep?(value: T): void;
}

interface Loading<T> {
  readonly loaded: Loaded<T>;
  /** Loads it once more; what is shown stays until then. */
  reload(): void;
  /** Shows a newer state that a request responded with. */
  set(value: T): void;
}

/** A server that takes longer is not waited for. */
const PATIENCE_MS = 1500;

/**
 * What a request responds with, loaded as it is first shown and whenever `load` is another function. Without a
 * response, what was last seen; it is loaded again once the connection is back.
 */
export function useLoaded<T>(load: () => Promise<T>, lastSeen?: LastSeen<T>): Loading<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'loading' });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const read = useEffectEvent(async () => (await lastSeen?.read().catch(() => null)) ?? null);
  const show = useEffectEvent((value: T) => {
    lastSeen?.keep?.(value);
    setLoaded({ status: 'ready', value });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is for a reload.
  useEffect(() => {
    let isOver = false;
    const showLastSeen = async (otherwise?: Loaded<T>) => {
      const value = await read();
      if (isOver) return;
      if (value !== null) setLoaded({ status: 'ready', value, isLastSeen: true });
      else if (otherwise !== undefined) setLoaded(otherwise);
    };
    const timer = setTimeout(showLastSeen, PATIENCE_MS);
    load().then(
      (value) => {
        if (!isOver) show(value);
        isOver = true;
      },
      (error: unknown) => void showLastSeen({ status: 'failed', error }),
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, turn]);

  const isMissing = loaded.status === 'failed' || (loaded.status === 'ready' && loaded.isLastSeen === true);
  useEffect(() => {
    if (!isMissing) return;
    return useOwnRooms.subscribe(({ isCurrent }, before) => {
      if (isCurrent && !before.isCurrent) reload();
    });
  }, [isMissing, reload]);

  const set = useCallback((value: T) => show(value), []);
  return { loaded, reload, set };
}

/** Runs the request of a button, one at a time. A failure is shown as a toast. */
export function useRequest(): { readonly busy: boolean; run(request: () => Promise<void>): Promise<void> } {
  const text = useText();
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (request) => {
      if (busy) return;
      setBusy(true);
      try {
        await request();
      } catch (error) {
        showToast(explain(text, error));
      } finally {
        setBusy(false);
      }
    },
  };
}

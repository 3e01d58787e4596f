import { useCallback, useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { explain } from '../i18n/errors.ts';
import { showToast } from '../stores/toasts.ts';

export type Loaded<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: unknown };

interface Loading<T> {
  readonly loaded: Loaded<T>;
  /** Loads it once more; what is shown stays until then. */
  reload(): void;
  /** Shows a newer state that a request responded with. */
  set(value: T): void;
}

/** What a request responds with, loaded as it is first shown and whenever `load` is another function. */
export function useLoaded<T>(load: () => Promise<T>): Loading<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'loading' });
  const [turn, setTurn] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is for a reload.
  useEffect(() => {
    let gone = false;
    load().then(
      (value) => gone || setLoaded({ status: 'ready', value }),
      (error: unknown) => gone || setLoaded({ status: 'failed', error }),
    );
    return () => {
      gone = true;
    };
  }, [load, turn]);

  return {
    loaded,
    reload: useCallback(() => setTurn((before) => before + 1), []),
    set: useCallback((value: T) => setLoaded({ status: 'ready', value }), []),
  };
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

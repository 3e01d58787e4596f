import { type ComponentType, useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { showToast } from '../stores/toasts.ts';

type LazyPart<P> = ComponentType<P> & {
  /** Loads the code ahead of its first use. Never rejects. */
  prepare(): Promise<void>;
};

/** After a failure the next try waits this long, and twice as long after each further one. */
const RETRY_AFTER_MS = 1000;
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * A component whose code is loaded when it is first shown. Until then it shows nothing. After a failure a toast says
 * so, or `NotLoaded` is shown in its place, and loading is tried again until it succeeds.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  NotLoaded?: ComponentType,
): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;

  async function fetchPart(): Promise<ComponentType<P>> {
    loaded ??= await load();
    return loaded;
  }

  function Lazy(props: P) {
    const text = useText();
    const [Part, setPart] = useState<ComponentType<P> | null>(() => loaded);
    const [hasFailed, setHasFailed] = useState(false);
    const isMissing = Part === null;

    useEffect(() => {
      if (!isMissing) return;
      let gone = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const attempt = (pauseMs: number) =>
        fetchPart().then(
          (part) => gone || setPart(() => part),
          () => {
            if (gone) return;
            setHasFailed(true);
            if (NotLoaded === undefined && pauseMs === RETRY_AFTER_MS) showToast(text.errors.notLoaded);
            timer = setTimeout(attempt, pauseMs, Math.min(2 * pauseMs, MAX_RETRY_AFTER_MS));
          },
        );
      void attempt(RETRY_AFTER_MS);
      return () => {
        gone = true;
        clearTimeout(timer);
      };
    }, [isMissing, text]);

    if (Part !== null) return <Part {...props} />;
    return hasFailed && NotLoaded !== undefined ? <NotLoaded /> : null;
  }

  return Object.assign(Lazy, {
    prepare: () =>
      fetchPart().then(
        () => {},
        () => {},
      ),
  });
}

import { type ComponentType, useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { showToast } from '../stores/toasts.ts';

type LazyPart<P> = ComponentType<P> & {
  /** Loads the code ahead of its first use. Never rejects. */
  prepare(): Promise<void>;
};

/** A component whose code is loaded when it is first shown. Until then it shows nothing. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;

  async function fetchPart(): Promise<ComponentType<P>> {
    loaded ??= await load();
    return loaded;
  }

  function Lazy(props: P) {
    const text = useText();
    const [Part, setPart] = useState<ComponentType<P> | null>(() => loaded);
    const isMissing = Part === null;

    useEffect(() => {
      if (!isMissing) return;
      let gone = false;
      fetchPart().then(
        (part) => gone || setPart(() => part),
        () => gone || showToast(text.errors.notLoaded),
      );
      return () => {
        gone = true;
      };
    }, [isMissing, text]);

    return Part === null ? null : <Part {...props} />;
  }

  return Object.assign(Lazy, {
    prepare: () =>
      fetchPart().then(
        () => {},
        () => {},
      ),
  });
}

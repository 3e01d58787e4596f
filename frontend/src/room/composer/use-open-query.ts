import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type OpenQuery, openQuery } from './open-query.ts';

interface OpenQueryState {
  readonly query: OpenQuery | null;
  /** Closes it until another one is typed. */
  dismiss(): void;
}

/** What is being typed in the field and could be completed. */
export function useOpenQuery(field: RefObject<HTMLTextAreaElement | null>): OpenQueryState {
  const [query, setQuery] = useState<OpenQuery | null>(null);
  const dismissedAt = useRef<number | null>(null);

  const look = useCallback(() => {
    const element = field.current;
    const isTyping = element !== null && document.activeElement === element;
    const found =
      isTyping && element.selectionStart === element.selectionEnd
        ? openQuery(element.value, element.selectionStart)
        : null;
    if (found?.start !== dismissedAt.current) dismissedAt.current = null;
    const next = dismissedAt.current === null ? found : null;
    setQuery((before) => (isSame(before, next) ? before : next));
  }, [field]);

  useEffect(() => {
    const element = field.current;
    const controller = new AbortController();
    const { signal } = controller;
    element?.addEventListener('input', look, { signal });
    element?.addEventListener('blur', look, { signal });
    document.addEventListener('selectionchange', look, { signal });
    return () => controller.abort();
  }, [field, look]);
  // The text may have changed otherwise, as by sending it.
  useEffect(look);

  return {
    query,
    dismiss: useCallback(() => {
      dismissedAt.current = query?.start ?? null;
      setQuery(null);
    }, [query]),
  };
}

function isSame(a: OpenQuery | null, b: OpenQuery | null): boolean {
  return a?.start === b?.start && a?.end === b?.end && a?.typed === b?.typed && a?.kind === b?.kind;
}

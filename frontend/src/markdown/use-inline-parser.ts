import { useSyncExternalStore } from 'react';
import type { Inline } from './inline.ts';

export type InlineParser = (text: string) => readonly Inline[];

let parser: InlineParser | null = null;
let loading = false;
const waiting = new Set<() => void>();

/**
 * Fetches what reads Markdown within lines. Called when the client starts, it is there long before the first message
 * is, and yet nothing waits for it.
 */
export function loadInlineParser(): void {
  if (parser !== null || loading) return;
  loading = true;
  import('./inline.ts').then(
    (loaded) => {
      parser = loaded.parseInline;
      for (const tell of [...waiting]) tell();
    },
    // The next message that is shown tries again.
    () => {
      loading = false;
    },
  );
}

/** The parser, or null until it is there; then what was said is shown as it was typed. */
export function useInlineParser(): InlineParser | null {
  return useSyncExternalStore(subscribe, () => parser);
}

function subscribe(listener: () => void): () => void {
  loadInlineParser();
  if (parser === null) waiting.add(listener);
  return () => waiting.delete(listener);
}

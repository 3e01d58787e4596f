import { useSyncExternalStore } from 'react';
import type { Inline } from './inline.ts';

export type InlineParser = (text: string) => readonly Inline[];

let parser: InlineParser | null = null;
let loading = false;
const waiting = new Set<() => void>();

/**
 * Loads the inline parser. Called when the client starts, it loads long before the first message arrives, and nothing
 * waits for it.
 */
export function loadInlineParser(): void {
  if (parser !== null || loading) return;
  loading = true;
  import('./inline.ts').then(
    (loaded) => {
      parser = loaded.parseInline;
      for (const tell of [...waiting]) tell();
    },
    // The next message tries again.
    () => {
      loading = false;
    },
  );
}

/** The parser, or null until it has loaded. Until then messages are shown as typed. */
export function useInlineParser(): InlineParser | null {
  return useSyncExternalStore(subscribe, () => parser);
}

function subscribe(listener: () => void): () => void {
  loadInlineParser();
  if (parser === null) waiting.add(listener);
  return () => waiting.delete(listener);
}

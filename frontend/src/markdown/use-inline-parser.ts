import { useSyncExternalStore } from 'react';
import type { InlineParser } from './inline.ts';

let module: typeof import('./late-parts.ts') | null = null;
let loading = false;
const waiting = new Set<() => void>();

/**
 * Loads the inline parser. Called when the client starts, it loads long before the first message arrives, and nothing
 * waits for it.
 */
export function loadInlineParser(): void {
  if (module !== null || loading) return;
  loading = true;
  import('./late-parts.ts').then(
    ({ parseInline, MentionedView }) => {
      module = { parseInline, MentionedView };
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
  return useSyncExternalStore(subscribe, () => module)?.parseInline ?? null;
}

/** What shows a text with mentions; null until the parser has loaded, which it comes with. */
export function mentionedView() {
  return module?.MentionedView ?? null;
}

function subscribe(listener: () => void): () => void {
  loadInlineParser();
  if (module === null) waiting.add(listener);
  return () => waiting.delete(listener);
}

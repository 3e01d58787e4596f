import { useSyncExternalStore } from 'react';

type MessageParts = typeof import('./late-parts.ts').messageParts;

let parts: MessageParts | null = null;
let loading: Promise<void> | null = null;
const waiting = new Set<() => void>();

/** Loads what shows a message: the parser, its elements, and mentions. Never rejects: the next message tries again. */
export function loadMessageParts(): Promise<void> {
  loading ??= import('./late-parts.ts').then(
    ({ messageParts }) => {
      parts = messageParts;
      for (const tell of [...waiting]) tell();
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

/** What shows a message. Null until it has loaded: messages are shown as typed. */
export function useMessageParts(): MessageParts | null {
  return useSyncExternalStore(subscribe, () => parts);
}

function subscribe(listener: () => void): () => void {
  void loadMessageParts();
  if (parts === null) waiting.add(listener);
  return () => waiting.delete(listener);
}

/**
 * Excerpts of the messages that arrive. What makes them, the parser of messages, is loaded beside the start: a page
 * shows its list of rooms without it. A connection waits for it.
 */
import { EXCERPT_MAX } from '../../protocol/limits.ts';

let reader: typeof import('../../protocol/excerpt.ts') | null = null;

/** Loads what makes excerpts; undefined when it is there. Never rejects: a later call tries again. */
export function loadExcerpts(): Promise<void> | undefined {
  if (reader !== null) return undefined;
  return import('../../protocol/excerpt.ts').then(
    (loaded) => {
      reader = loaded;
    },
    () => {},
  );
}

/** The first words of a message. Where the parser could not be loaded, they are as they were typed. */
export function excerptOf(content: string): string {
  return reader?.excerptOf(content) ?? content.slice(0, EXCERPT_MAX).trim();
}

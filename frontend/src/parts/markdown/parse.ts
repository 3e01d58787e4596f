import type { Markdown, parseMarkdown } from '../../../../protocol/markdown/parse.ts';

/** A few screens of messages, so that scrolling back or a confirmation does not parse again. */
const CACHE_SIZE = 500;
const cache = new Map<string, Markdown>();

/** The parsed Markdown of a message. */
export function markdownOf(content: string, parse: typeof parseMarkdown): Markdown {
  const known = cache.get(content);
  if (known !== undefined) return known;
  const parsed = parse(content);
  const [oldest] = cache.keys();
  if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  cache.set(content, parsed);
  return parsed;
}

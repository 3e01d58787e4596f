/** Puts elements in the place of the mentions in a parsed message. */
import type { ReactElement } from 'react';
import type { Inline } from '../../../../protocol/markdown/inline-tree.ts';
import type { Markdown } from '../../../../protocol/markdown/parse.ts';
import { type PlainText, replacePlainText } from '../../../../protocol/markdown/plain-text.ts';
import { findMentions, type MentionedName, mentionKeys } from '../../../../protocol/mentions.ts';

/** What stands in the place of its text. */
export interface MarkedElement {
  readonly kind: 'element';
  readonly text: string;
  readonly element: ReactElement;
}

export interface Mentioned {
  /** The people whom the message mentions, by the keys of their names. */
  readonly idByKey: ReadonlyMap<string, number>;
  /** It calls the whole room. */
  readonly isRoom: boolean;
}

/** `userId`: null for the whole room. `key`: different for each. */
export type MakeMention = (mention: { text: string; userId: number | null; key: string }) => ReactElement;

/**
 * Only what the server has taken for a mention becomes one: a name that is no mention stays text. Code, links and
 * quotes have none.
 */
export function markMentions(
  blocks: Markdown,
  mentioned: Mentioned,
  make: MakeMention,
): Markdown<MarkedElement> {
  let texts = 0;
  return replacePlainText(blocks, (plain) => {
    texts += 1;
    const place = texts;
    return inText(plain, mentioned, (of) => make({ ...of, key: `${place} ${of.key}` }));
  });
}

function inText(
  plain: PlainText,
  { idByKey, isRoom }: Mentioned,
  make: MakeMention,
): Inline<MarkedElement>[] {
  const { text } = plain;
  const parts: Inline<MarkedElement>[] = [];
  let from = 0;
  for (const mention of findMentions(plain)) {
    const found =
      mention.kind === 'room'
        ? isRoom && { shown: text.slice(mention.start, mention.end), end: mention.end, userId: null }
        : personIn(mention.names, idByKey);
    if (!found || mention.start < from) continue;
    if (mention.start > from) parts.push({ kind: 'text', text: text.slice(from, mention.start) });
    const { shown, userId } = found;
    const element = make({ text: shown, userId, key: String(mention.start) });
    parts.push({ kind: 'element', text: shown, element });
    from = found.end;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** The likeliest name that is mentioned, as it was typed, without the quotes around it. */
function personIn(names: readonly MentionedName[], idByKey: Mentioned['idByKey']) {
  for (const { name, end } of names) {
    const userId = mentionKeys(name)
      .map((key) => idByKey.get(key))
      .find((id) => id !== undefined);
    if (userId !== undefined) return { shown: `@${name}`, end, userId };
  }
  return null;
}

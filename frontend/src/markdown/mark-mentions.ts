/** Puts elements in the place of the mentions in a parsed message. */
import type { ReactElement } from 'react';
import { findMentions, type MentionedName } from '../../../protocol/mentions.ts';
import { nameKey } from '../../../protocol/text.ts';
import type { Inline } from './inline.ts';
import type { Markdown, MarkdownBlock } from './parse.ts';

export interface Mentioned {
  /** The people whom the message mentions, by the keys of their names. */
  readonly idByKey: ReadonlyMap<string, number>;
  /** It calls the whole room. */
  readonly isRoom: boolean;
}

/** `userId`: null for the whole room. `key`: different for each. */
export type MakeMention = (mention: { text: string; userId: number | null; key: string }) => ReactElement;

/**
 * Only what the server has taken for a mention becomes one: a name that is no mention stays text. Code, links and quotes
 * have none.
 */
export function markMentions(blocks: Markdown, mentioned: Mentioned, make: MakeMention): Markdown {
  return blocks.map((block) => inBlock(block, mentioned, make));
}

function inBlock(block: MarkdownBlock, mentioned: Mentioned, make: MakeMention): MarkdownBlock {
  switch (block.kind) {
    case 'text':
      return { ...block, parts: inParts(block.parts, mentioned, make) };
    case 'list': {
      const items = block.items.map((item) => ({
        ...item,
        blocks: markMentions(item.blocks, mentioned, make),
      }));
      return { ...block, items };
    }
    case 'code':
    case 'quote':
      return block;
  }
}

function inParts(parts: readonly Inline[], mentioned: Mentioned, make: MakeMention): readonly Inline[] {
  return parts.flatMap((part, index) => {
    switch (part.kind) {
      case 'text':
        return inText(part.text, mentioned, (of) => make({ ...of, key: `${index} ${of.key}` }));
      case 'strong':
      case 'em':
      case 'del':
        return { ...part, children: inParts(part.children, mentioned, make) };
      default:
        return part;
    }
  });
}

function inText(text: string, { idByKey, isRoom }: Mentioned, make: MakeMention): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const mention of findMentions(text)) {
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

/** The longest name that is mentioned, as it was typed, without the quotes around it. */
function personIn(names: readonly MentionedName[], idByKey: Mentioned['idByKey']) {
  for (const { name, end } of names) {
    const userId = idByKey.get(nameKey(name));
    if (userId !== undefined) return { shown: `@${name}`, end, userId };
  }
  return null;
}

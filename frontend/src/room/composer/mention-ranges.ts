/** Where the text that is being written mentions people and calls the room, to colour it there. */
import { findMentions, mentionKeys, scanMentions } from '../../../../protocol/mentions.ts';
import { isCode } from './open-query.ts';

export interface MentionRange {
  readonly kind: 'person' | 'room';
  readonly start: number;
  readonly end: number;
}

/** A longer text is not coloured: each key would look through all of it. */
const LONGEST = 20_000;

/**
 * `isKnown`: whether somebody has the name of this key (`nameKey`). What the server would take for text stays plain.
 */
export function mentionRanges(text: string, isKnown: (key: string) => boolean): readonly MentionRange[] {
  if (text.length > LONGEST) return [];
  const { names, room } = scanMentions(text);
  const known = new Set(names.flat().filter(isKnown));
  const ranges: MentionRange[] = [];
  let from = 0;
  for (const mention of findMentions({ text, before: '' })) {
    const { kind, start } = mention;
    const end =
      mention.kind === 'room'
        ? room === null
          ? undefined
          : mention.end
        : mention.names.find(({ name }) => mentionKeys(name).some((key) => known.has(key)))?.end;
    if (end === undefined || start < from || isCode(text, start)) continue;
    ranges.push({ kind, start, end });
    from = end;
  }
  return ranges;
}

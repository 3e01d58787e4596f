/** When a name is refused because it looks like another: docs/decisions/0030-looks-of-names.md has the reasons. */
import { ROOM_WORDS } from '../../../protocol/mentions.ts';
import { nameKey } from '../../../protocol/text.ts';
import { hasSymbolInWord, imitatesAscii, mixesScripts, skeleton } from './skeleton.ts';

export interface NameLooks {
  /** Skeletons of the name: two names look alike when they share one. */
  looks: readonly string[];
  /** Whether the name mixes scripts, or has a symbol instead of a letter. Of two that look alike one must be so. */
  isDisguised: boolean;
}

/** The looks of the words for everybody in a mention. Made when first needed. */
let reserved: ReadonlySet<string> | undefined;
/** `Removed user 17`, as a skeleton: it has `rn` for an m, and letters for some digits. */
const REMOVED = /^re(?:m|rn)oved\s+user\s+[\dlio]+$/i;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Whether nobody may have this name, whoever else is there: it mixes scripts, or has symbols for letters, and reads as
 * a plain one, so it has no other purpose than to be taken for that.
 */
export function isImitation(name: string): boolean {
  const written = name.normalize('NFKC');
  if (!mixesScripts(written) && !hasSymbolInWord(written)) return false;
  return looksOf(name).looks.some((look) => PLAIN.test(look));
}

/**
 * Whether nobody may be called so: it is a word of the product, or looks like one, or like the name that a removed
 * account gets.
 */
export function isReserved(name: string): boolean {
  reserved ??= new Set([...ROOM_WORDS.keys()].flatMap((word) => looksOf(word).looks));
  const { looks } = looksOf(name);
  return looks.some((look) => reserved?.has(look)) || looks.some((look) => REMOVED.test(look));
}

/**
 * The looks of a name as it is written, in small letters and in capitals (TS 39 skeletons of NFKC forms). All three,
 * because some letters look alike only as capitals (`B` and Cyrillic `В`), others only as small letters (`h` and
 * Cyrillic `һ`). The name as it is written counts whatever the case of the letters that it looks like.
 */
export function looksOf(name: string): NameLooks {
  const written = name.normalize('NFKC');
  const small = nameKey(name);
  const capitals = written.toUpperCase().normalize('NFKC');
  const looks = [nameKey(skeleton(written)), small, capitals].map(skeleton);
  return { looks: [...new Set(looks)], isDisguised: mixesScripts(written) || imitatesAscii(written) };
}

/** When a name is refused because it looks like another: docs/decisions/0030-looks-of-names.md has the reasons. */
import { nameKey } from '../../../protocol/text.ts';
import { imitatesAscii, mixesScripts, skeleton } from './skeleton.ts';

export interface NameLooks {
  /** Skeletons of the name: two names look alike when they share one. */
  looks: readonly string[];
  /** Whether the name mixes scripts, or has a symbol instead of a letter. Only such a name is refused for its looks. */
  isDisguised: boolean;
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

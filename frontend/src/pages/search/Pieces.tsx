import { EmojiText } from '../../parts/emoji/EmojiText.tsx';
import type { Piece } from './hit-text.ts';

/** A text with what was found in it. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map(({ text, isHit }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other key.
    if (isHit) return <mark key={index}>{text}</mark>;
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    return text.includes(':') ? <EmojiText key={index} text={text} /> : text;
  });
}

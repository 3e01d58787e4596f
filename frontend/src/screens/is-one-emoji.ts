const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Whether the text is a single emoji, as the server asks for. */
export function isOneEmoji(text: string): boolean {
  return (
    [...graphemes.segment(text)].length === 1 &&
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u.test(text)
  );
}

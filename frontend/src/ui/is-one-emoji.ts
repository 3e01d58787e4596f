const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Whether the text is a single emoji, as the server asks for. */
export function isOneEmoji(text: string): boolean {
  return (
    [...graphemes.segment(text)].length === 1 &&
    // Neither a skin tone alone, nor one letter of a flag.
    !/^[\p{Emoji_Modifier}\p{Regional_Indicator}]$/u.test(text) &&
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u.test(text)
  );
}

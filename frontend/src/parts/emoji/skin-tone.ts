/** Skin tones: 0 is the yellow of the emoji itself, 1 to 5 are from light to dark. */
export const TONES = [0, 1, 2, 3, 4, 5] as const;
export type Tone = (typeof TONES)[number];

/** U+1F3FB is the lightest of the five modifiers. */
const BEFORE_LIGHTEST = 0x1f3fa;

/** The emoji in a skin tone. Only for an emoji whose first character is its one person or hand. */
export function withTone(emoji: string, tone: number): string {
  if (tone === 0) return emoji;
  const [first = '', ...rest] = emoji;
  // The modifier takes the place of a variation selector.
  return `${first}${String.fromCodePoint(BEFORE_LIGHTEST + tone)}${rest.join('').replace(/^\uFE0F/, '')}`;
}

/** One way to write each emoji: keyboards differ, and one heart is one reaction. */

/** Text unless a selector follows. With a skin tone it is a picture, and has no selector (UTS #51, ED-18a). */
const TEXT_BY_DEFAULT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;

/**
 * The fully-qualified form of an emoji: U+FE0F after each part that would be text without it, and nowhere else. An emoji
 * of the server has one form.
 */
export function qualifiedEmoji(emoji: string): string {
  if (emoji.startsWith(':')) return emoji;
  return emoji.replaceAll('\uFE0F', '').replace(TEXT_BY_DEFAULT, '$&\uFE0F');
}

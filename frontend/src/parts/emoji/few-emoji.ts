const EMOJI =
  /(?:\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3|(?:\p{Emoji_Presentation}\uFE0F?|\p{Emoji}\uFE0F|\p{Emoji_Modifier_Base}(?=\p{EMod}))\p{EMod}?[\u{E0020}-\u{E007F}]*(?:\u200D\p{Emoji}\uFE0F?\p{EMod}?)*)/gu;
/** More than these are not enlarged. */
const MAX_EMOJI = 9;
/** The length of that many of the longest emoji, families of many code points. */
const MAX_LENGTH = MAX_EMOJI * 40;

/** Whether the text is nothing but a few emoji, which are shown larger. */
export function isFewEmoji(content: string): boolean {
  if (content.length > MAX_LENGTH || content.replace(EMOJI, '').trim() !== '') return false;
  const count = content.match(EMOJI)?.length ?? 0;
  return count > 0 && count <= MAX_EMOJI;
}

/** How much of a text is looked at: a line shows less. */
const LONGEST = 600;

/**
 * A message on one line, without its marks: code blocks are left out, the words of inline code, links and emphasis stay.
 * Underscores within words are letters, as in `error_rate`.
 */
export function excerptOf(content: string): string {
  const words = content
    .slice(0, LONGEST)
    .replaceAll(/```[^\n]*\n[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/^\s*(?:>+|#{1,6}\s|[-*]\s)\s*/gm, '')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(/[*~`]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === ''
    ? content
        .slice(0, LONGEST)
        .replaceAll(/[`\s]+/g, ' ')
        .trim()
    : words;
}

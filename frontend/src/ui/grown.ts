/** Longer texts than these characters are higher than any field grows, on any screen. */
const HIGHEST = 20_000;

/** The text of the hidden copy that makes a field as high as its text: the browser lays out every character of it. */
export function grown(content: string): string {
  return content.length > HIGHEST ? content.slice(0, HIGHEST) : content;
}

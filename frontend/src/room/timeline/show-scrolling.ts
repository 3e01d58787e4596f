/** How long the day that floats stays after the last movement. */
const SHOWN_MS = 1000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Marks the element as being scrolled, until nothing has moved for a while. Where the client itself scrolls, as in a
 * room that opens, the reader looks at words that the day would cover.
 */
export function showScrolling(element: HTMLElement): void {
  element.dataset.scrolling = '';
  clearTimeout(timer);
  timer = setTimeout(() => delete element.dataset.scrolling, SHOWN_MS);
}

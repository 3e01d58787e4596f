/** How long the day that floats stays after the last movement. */
const SHOWN_MS = 1000;

let timer: number | undefined;

/** Marks the element as being scrolled, until nothing has moved for a while. */
export function showScrolling(element: HTMLElement): void {
  element.dataset.scrolling = '';
  window.clearTimeout(timer);
  timer = window.setTimeout(() => delete element.dataset.scrolling, SHOWN_MS);
}

import { isTouch } from '../stores/use-media.ts';

/**
 * Marks the page while a finger was the last to press, with no key since; on a touch screen from the start. What gets
 * the focus by itself then has no ring: it would look chosen. Returns the function that ends it.
 */
export function markTouch(): () => void {
  const { dataset } = document.documentElement;
  if (isTouch()) dataset.touched = '';
  const ending = new AbortController();
  const options = { capture: true, passive: true, signal: ending.signal };
  window.addEventListener(
    'pointerdown',
    ({ pointerType }) => {
      if (pointerType === 'touch') dataset.touched = '';
      else delete dataset.touched;
    },
    options,
  );
  window.addEventListener('keydown', () => delete dataset.touched, options);
  return () => ending.abort();
}

/** What asks for the menu of a row of the list. One listener serves all rows, and comes after the first paint. */

export interface RowAt {
  readonly roomId: number;
  readonly row: HTMLElement;
  /** In the window, in pixels. */
  readonly at: { readonly x: number; readonly y: number };
}

/** As long as a finger has to rest. Not every browser of a phone asks for a menu by itself. */
const PRESS_MS = 500;
/** A finger that moves farther scrolls. */
const STILL_PX = 8;

/** Calls `onMenu` whenever the user asks for the menu of a row, until the returned function is called. */
export function watchRows(onMenu: (at: RowAt) => void): () => void {
  let press: { readonly timer: number; readonly x: number; readonly y: number } | null = null;

  const release = () => {
    if (press !== null) clearTimeout(press.timer);
    press = null;
  };
  const ask = (row: HTMLElement, at: RowAt['at']) => {
    release();
    const roomId = Number(row.dataset.room);
    onMenu({ roomId, row, at });
  };
  const onContextMenu = (event: MouseEvent) => {
    const row = rowOf(event.target);
    if (row === null) return;
    event.preventDefault();
    // By the menu key the pointer is nowhere near.
    const isByKey = event.button !== 2 && event.clientX === 0 && event.clientY === 0;
    ask(row, isByKey ? beneath(row) : { x: event.clientX, y: event.clientY });
  };
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element | null)?.closest<HTMLElement>('[data-row-menu]');
    const row = rowOf(button ?? null);
    if (button && row !== null) ask(row, beneath(button));
  };
  const onPointerDown = (event: PointerEvent) => {
    release();
    const row = event.pointerType === 'touch' ? rowOf(event.target) : null;
    if (row === null) return;
    const { clientX: x, clientY: y } = event;
    const timer = window.setTimeout(() => {
      ask(row, { x, y });
      // The finger is still down: lifting it must not open the room.
      window.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 1000);
    }, PRESS_MS);
    press = { timer, x, y };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (press !== null && Math.hypot(clientX - press.x, clientY - press.y) > STILL_PX) release();
  };

  const listeners = [
    ['contextmenu', onContextMenu],
    ['click', onClick],
    ['pointerdown', onPointerDown],
    ['pointermove', onPointerMove],
    ['pointerup', release],
    ['pointercancel', release],
  ] as const;
  for (const [type, listener] of listeners) document.addEventListener(type, listener as EventListener);
  return () => {
    release();
    for (const [type, listener] of listeners) document.removeEventListener(type, listener as EventListener);
  };
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-room]') : null;
}

function beneath(element: HTMLElement): RowAt['at'] {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom + 4 };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** What asks for the menu of a row of the list. One listener serves all rows, and comes after the first paint. */
import { watchHold } from '../../ui/hold.ts';
import type { MenuPlace } from '../../ui/place-menu.ts';

export interface RowAt {
  readonly roomId: number;
  readonly row: HTMLElement;
  readonly at: MenuPlace;
  /** A finger still holds the row. */
  readonly isHeld: boolean;
}

/** Calls `onMenu` whenever the user asks for the menu of a row, until the returned function is called. */
export function watchRows(onMenu: (at: RowAt) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let endHold: (() => void) | null = null;

  const ask = (row: HTMLElement, box: MenuPlace['box'], isHeld = false) =>
    onMenu({ roomId: Number(row.dataset.room), row, at: { box, align: 'left' }, isHeld });

  const onContextMenu = (event: MouseEvent) => {
    const row = rowOf(event.target);
    // A finger that holds a row is watched below.
    if (row === null || event.defaultPrevented) return;
    event.preventDefault();
    // By the menu key the pointer is nowhere near.
    const isByKey = event.button !== 2 && event.clientX === 0 && event.clientY === 0;
    ask(row, isByKey ? row.getBoundingClientRect() : pointOf(event));
  };
  const onClick = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-row-menu]') : null;
    const row = rowOf(button);
    if (button !== null && row !== null) ask(row, button.getBoundingClientRect());
  };
  const onPointerDown = (event: PointerEvent) => {
    endHold?.();
    const row = event.pointerType === 'touch' ? rowOf(event.target) : null;
    endHold = row && watchHold(event, () => ask(row, pointOf(event), true));
  };

  document.addEventListener('contextmenu', onContextMenu, { signal });
  document.addEventListener('click', onClick, { signal });
  document.addEventListener('pointerdown', onPointerDown, { signal });
  return () => {
    endHold?.();
    controller.abort();
  };
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-room]') : null;
}

function pointOf({ clientX: x, clientY: y }: MouseEvent): MenuPlace['box'] {
  return { left: x, right: x, top: y, bottom: y };
}

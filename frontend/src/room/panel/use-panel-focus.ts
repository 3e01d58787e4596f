import { type RefObject, useEffect, useRef } from 'react';
import type { Panel } from '../../stores/route.ts';
import { NARROW } from '../../stores/use-media.ts';

/**
 * The focus of the room's settings: at the first button as they open, and on each step within them at the way back, or
 * in the list at the row of the part that one comes from. `takesFocus`: the user opened them just now.
 */
export function usePanelFocus(box: RefObject<HTMLElement | null>, panel: Panel, takesFocus: boolean): void {
  const last = useRef(panel);

  useEffect(() => {
    if (takesFocus || window.matchMedia(NARROW).matches) box.current?.querySelector('button')?.focus();
  }, [box, takesFocus]);

  useEffect(() => {
    const from = last.current;
    last.current = panel;
    if (from === panel || box.current === null) return;
    const { activeElement: focused } = document;
    // Something outside of the panel has shown another part, and keeps the focus.
    if (focused !== document.body && !box.current.contains(focused)) return;
    const row = panel === 'settings' ? box.current.querySelector<HTMLElement>(`[data-part=${from}]`) : null;
    (row ?? box.current.querySelector('button'))?.focus();
  }, [box, panel]);
}

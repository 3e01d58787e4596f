import { type RefObject, useEffect, useRef } from 'react';
import type { Panel } from '../../stores/route.ts';
import { ONE_PANE } from '../../stores/use-media.ts';

/** What opens them: the room's name in the header, or on a phone the button with dots. */
const OPENER = '[data-region=header] :is(h1 button, [data-settings])';

/**
 * The focus of the room's settings: at the first button as they open, and on each step within them at the way back, or
 * in the list at the row of the part that one comes from. Once they are closed, at the
 * button in the room's header that opens them. `takesFocus`: the user opened them just now.
 */
export function usePanelFocus(box: RefObject<HTMLElement | null>, panel: Panel, takesFocus: boolean): void {
  const last = useRef(panel);

  useEffect(() => {
    if (takesFocus || window.matchMedia(ONE_PANE).matches) box.current?.querySelector('button')?.focus();
    return () => {
      // Where they stood in place of the room, it is back only now.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>(OPENER)?.focus();
    };
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

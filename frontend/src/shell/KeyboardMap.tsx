import { useEffect } from 'react';
import { readAll } from '../parts/rooms/read-all.ts';
import { type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { unreadOf, useOwnRooms } from '../stores/own-rooms.ts';
import { goToRoom, useRoute } from '../stores/route.ts';
import { openSearch } from '../stores/search.ts';
import { useShownRooms } from '../stores/shown-rooms.ts';
import { focusComposer, focusNearestComposer, moveToRegion } from '../ui/regions.ts';
import { IS_APPLE } from '../ui/shortcuts.ts';
import { isWriting, type KeyAction, keyAction, neighbour, unreadNeighbour } from './keyboard-map.ts';

/** Shortcuts that work everywhere. It renders nothing. */
export function KeyboardMap() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const action = keyAction(event, IS_APPLE);
      if (action !== null) {
        if (act(action)) event.preventDefault();
      } else if (isWriting(event, IS_APPLE) && !takesKeys(document.activeElement)) {
        // The key itself then goes into the composer.
        focusNearestComposer();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return null;
}

/** Whether the focused element, or a dialog or menu over the page, has a use for the key itself. */
function takesKeys(element: Element | null): boolean {
  if (document.querySelector('dialog[open], :popover-open') !== null) return true;
  return element?.closest('input, textarea, select, [contenteditable]') != null;
}

/** Carries out a shortcut. False when there was nothing to do. */
function act(action: KeyAction): boolean {
  if (action === 'switcher' || action === 'help' || action === 'new_dm') return toggle(action);
  // A dialog keeps all keys to itself, and Escape closes it first.
  if (document.querySelector('dialog[open]') !== null) return false;
  switch (action) {
    case 'previous_room':
      return openRoom(-1, false);
    case 'next_room':
      return openRoom(1, false);
    case 'previous_unread':
      return openRoom(-1, true);
    case 'next_unread':
      return openRoom(1, true);
    case 'search':
      openSearch();
      return true;
    case 'next_region':
      moveToRegion(1);
      return true;
    case 'previous_region':
      moveToRegion(-1);
      return true;
    case 'read_all':
      readAll();
      return true;
    case 'composer':
      if (document.querySelector(':popover-open') !== null) return false;
      focusComposer();
      return true;
  }
}

function toggle(kind: 'switcher' | 'help' | 'new_dm'): boolean {
  const { open, show, close } = useDialogs.getState();
  // What was typed into another dialog must not be lost.
  if (open.kind === 'create_room') return true;
  if (open.kind === kind) close(open);
  else show({ kind } satisfies OpenDialog);
  return true;
}

function openRoom(step: -1 | 1, unreadOnly: boolean): boolean {
  const { route } = useRoute.getState();
  const own = useOwnRooms.getState().rooms;
  const current = route.page === 'room' ? route.roomId : null;
  const { ids } = useShownRooms.getState();
  const next = unreadOnly
    ? unreadNeighbour(ids, (id) => unreadOf(own, id) > 0, current, step)
    : neighbour(ids, current, step);
  if (next !== null) goToRoom(next);
  return true;
}

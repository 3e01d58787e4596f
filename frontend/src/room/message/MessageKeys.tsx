import { useEffect } from 'react';
import { chat } from '../../stores/chat.ts';
import { useRoom } from '../../stores/room.ts';
import { useThreads } from '../../stores/threads.ts';
import { watchHold } from '../../ui/hold.ts';
import { startEdit } from './edit-draft.ts';
import { messageOf } from './held-message.ts';
import { COMMANDS, type Command, carryOut, may } from './message-commands.ts';
import { showMessageMenu } from './message-menu-store.ts';

const ROW = '[data-row=message]';
const KEYS = new Map(
  COMMANDS.map(({ command, key }) => [key === 'Del' ? 'delete' : key?.toLowerCase(), command]),
);

/** The keys that move the focus. */
const MOVES = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab', 'F6']);

/** The last key was one that moves the focus, and has not moved it yet. */
let isMoving = false;
/**
 * A message has its keys only when one of these keys has led to it. Focus that the page gives to a message, as when a
 * dialog closes, leaves what is typed next to the composer.
 */
let isReached = false;

/**
 * Keys on a message that was reached by keyboard, ↑ in an empty composer, and the finger that holds. It renders
 * nothing.
 */
export function MessageKeys() {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // Before the keys that lead to the composer.
    window.addEventListener('keydown', onKeyDown, { capture: true, signal });
    window.addEventListener('focusin', noteFocus, { signal });
    window.addEventListener('pointermove', notePointer, { passive: true, signal });
    window.addEventListener('pointerdown', onPointerDown, { passive: true, signal });
    return () => controller.abort();
  }, []);
  return null;
}

/** The pointer leads again, and shows what is beneath it. */
function notePointer(): void {
  delete document.documentElement.dataset.byKey;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { activeElement } = document;
  isMoving = MOVES.has(event.key);
  if (isMoving) document.documentElement.dataset.byKey = '';
  // A click has focused the message, and it is the only one: an arrow cannot move the focus.
  if (isMoving && activeElement?.matches(ROW)) isReached = true;
  const isDone = activeElement?.matches('[data-composer]')
    ? event.key === 'ArrowUp' && !event.shiftKey && editLast(activeElement as HTMLTextAreaElement)
    : onMessageKey(event, activeElement);
  if (!isDone) return;
  event.preventDefault();
  event.stopPropagation();
}

function onMessageKey({ key }: KeyboardEvent, element: Element | null): boolean {
  if (!isReached || !element?.matches(ROW)) return false;
  const message = messageOf(element);
  const command: Command | undefined = KEYS.get(key.toLowerCase());
  if (message === undefined || command === undefined || !may(command, message)) return false;
  // Nothing is left to do with what is deleted.
  if (command === 'delete') isReached = false;
  carryOut(command, message, element as HTMLElement);
  return true;
}

function noteFocus(): void {
  isReached = isMoving;
  isMoving = false;
}

function onPointerDown(event: PointerEvent): void {
  isMoving = false;
  isReached = false;
  watchPress(event);
}

/** ↑ in an empty composer: the user's last text of the room, or of the thread, is edited. */
function editLast(field: HTMLTextAreaElement): boolean {
  if (field.value !== '') return false;
  const held = field.dataset.composer === 'thread' ? useThreads.getState().open : useRoom.getState().state;
  const last = held?.messages.findLast(
    (message) => message.user_id === chat().user?.id && message.notice === undefined && may('edit', message),
  );
  if (last === undefined) return false;
  startEdit(last.id);
  return true;
}

/** A finger that holds a message opens its menu. */
function watchPress(down: PointerEvent): void {
  if (down.pointerType === 'mouse' || !(down.target instanceof Element)) return;
  const row = down.target.closest(ROW);
  if (row === null || down.target.closest('a, button, textarea') !== null) return;
  const message = messageOf(row);
  if (message === undefined) return;
  watchHold(down, () => showMessageMenu({ message, anchor: null, view: 'menu' }));
}

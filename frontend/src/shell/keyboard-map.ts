/** What each shortcut does, wherever the focus is. Pure; `KeyboardMap.tsx` carries it out. */

export type KeyAction =
  | 'switcher'
  | 'new_dm'
  | 'search'
  | 'help'
  | 'previous_room'
  | 'next_room'
  | 'previous_unread'
  | 'next_unread'
  | 'next_region'
  | 'previous_region'
  | 'read_all'
  | 'composer';

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** What the keys mean, or null. `isApple`: ⌘ takes the place of Ctrl. */
export function keyAction(keys: Keys, isApple: boolean): KeyAction | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = keys;
  const command = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  const plain = !ctrlKey && !metaKey && !altKey;
  if (command && !altKey) {
    if (key.toLowerCase() === 'k' && !shiftKey) return 'switcher';
    if (key.toLowerCase() === 'm' && shiftKey) return 'new_dm';
    if (key.toLowerCase() === 'f' && shiftKey) return 'search';
    // On many keyboards "/" is a shifted key.
    return key === '/' || key === '?' ? 'help' : null;
  }
  if (altKey && !ctrlKey && !metaKey) {
    if (key === 'ArrowUp') return shiftKey ? 'previous_unread' : 'previous_room';
    if (key === 'ArrowDown') return shiftKey ? 'next_unread' : 'next_room';
    return null;
  }
  if (plain && key === 'F6') return shiftKey ? 'previous_region' : 'next_region';
  if (plain && key === 'Escape') return shiftKey ? 'read_all' : 'composer';
  return null;
}

/** Whether the key writes a character, or pastes: wherever the focus is, that is meant for the composer. */
export function isWriting(keys: Keys & Pick<KeyboardEvent, 'getModifierState'>, isApple: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey } = keys;
  const command = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (command && !altKey) return key.toLowerCase() === 'v';
  // Space presses buttons and scrolls. AltGr, which writes "@" on many keyboards, counts as Ctrl and Alt on some
  // systems.
  const plain = (!ctrlKey && !metaKey && (!altKey || isApple)) || keys.getModifierState('AltGraph');
  return plain && key !== ' ' && [...key].length === 1;
}

/** The room before (-1) or after (1) the current one in the list; null at the ends. */
export function neighbour(ids: readonly number[], current: number | null, step: -1 | 1): number | null {
  const at = current === null ? -1 : ids.indexOf(current);
  if (at < 0) return ids.at(step === 1 ? 0 : -1) ?? null;
  return ids[at + step] ?? null;
}

/** The next unread room in that direction. After the last it continues from the other end. */
export function unreadNeighbour(
  ids: readonly number[],
  isUnread: (id: number) => boolean,
  current: number | null,
  step: -1 | 1,
): number | null {
  const at = current === null ? -1 : ids.indexOf(current);
  const after = step === 1 ? ids.slice(at + 1) : ids.slice(0, Math.max(at, 0)).reverse();
  const before = step === 1 ? ids.slice(0, Math.max(at, 0)) : ids.slice(at + 1).reverse();
  return [...after, ...before].find(isUnread) ?? null;
}

/** Apple devices have ⌘ and their own symbols for keys. */
export const IS_APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** The keys as they are printed on this device's keyboard. */
export const KEY_NAMES = IS_APPLE
  ? { command: '⌘', alt: '⌥', shift: '⇧', enter: '↩', escape: 'Esc' }
  : { command: 'Ctrl', alt: 'Alt', shift: 'Shift', enter: 'Enter', escape: 'Esc' };

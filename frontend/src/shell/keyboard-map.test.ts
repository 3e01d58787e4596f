import { describe, expect, test } from 'vitest';
import { isWriting, keyAction, neighbour, unreadNeighbour } from './keyboard-map.ts';

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

function press(combination: string, isApple = false) {
  const parts = combination.split(' ');
  const held = {
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
  };
  return keyAction({ ...NONE, ...held, key: parts.at(-1) ?? '' }, isApple);
}

describe('the keyboard map', () => {
  test.each([
    ['Ctrl k', 'switcher'],
    ['Ctrl K', 'switcher'],
    ['Ctrl Shift F', 'search'],
    ['Ctrl /', 'help'],
    ['Ctrl Shift /', 'help'],
    ['Alt ArrowUp', 'previous_room'],
    ['Alt ArrowDown', 'next_room'],
    ['Alt Shift ArrowUp', 'previous_unread'],
    ['Alt Shift ArrowDown', 'next_unread'],
    ['F6', 'next_region'],
    ['Shift F6', 'previous_region'],
    ['Escape', 'composer'],
    ['Shift Escape', 'read_all'],
  ])('%s: %s', (combination, action) => {
    expect(press(combination)).toBe(action);
  });

  test.each(['k', '/', 'ArrowUp', 'Ctrl Shift k', 'Ctrl Alt k', 'Ctrl Alt ArrowUp', 'Alt Escape', 'Meta k'])(
    '%s is not a shortcut',
    (combination) => {
      expect(press(combination)).toBeNull();
    },
  );

  test('on a Mac ⌘ takes the place of Ctrl', () => {
    expect(press('Meta k', true)).toBe('switcher');
    expect(press('Meta Shift f', true)).toBe('search');
    expect(press('Meta /', true)).toBe('help');
    expect(press('Ctrl k', true)).toBeNull();
  });
});

describe('a key that writes is meant for the composer', () => {
  const writes = (key: string, held: object = {}, isApple = false) =>
    isWriting({ ...NONE, key, getModifierState: () => false, ...held }, isApple);

  test.each(['a', 'Z', '7', '/', 'é', '你', '😀'])('%s', (key) => expect(writes(key)).toBe(true));

  test.each([' ', 'Enter', 'Tab', 'ArrowUp', 'Escape', 'F2', 'Dead', 'Shift'])('%j is no such key', (key) => {
    expect(writes(key)).toBe(false);
  });

  test('AltGr writes, Ctrl and Alt do not, Ctrl V pastes', () => {
    const altGr = { ctrlKey: true, altKey: true, getModifierState: (name: string) => name === 'AltGraph' };
    expect(writes('@', altGr)).toBe(true);
    expect(writes('c', { ctrlKey: true })).toBe(false);
    expect(writes('f', { altKey: true })).toBe(false);
    expect(writes('v', { ctrlKey: true })).toBe(true);
    expect(writes('v', { metaKey: true }, true)).toBe(true);
    expect(writes('å', { altKey: true }, true)).toBe(true);
  });
});

describe('the next room', () => {
  test('is the neighbour in the list; at the ends there is none', () => {
    expect(neighbour([3, 2, 1], 2, 1)).toBe(1);
    expect(neighbour([3, 2, 1], 2, -1)).toBe(3);
    expect(neighbour([3, 2, 1], 1, 1)).toBeNull();
    expect(neighbour([], 1, 1)).toBeNull();
  });

  test('is the first or the last while no room is open', () => {
    expect(neighbour([3, 2, 1], null, 1)).toBe(3);
    expect(neighbour([3, 2, 1], null, -1)).toBe(1);
  });

  test('that is unread is found in the direction asked for, and beyond the ends', () => {
    const unread = (id: number) => id === 5 || id === 1;
    const ids = [5, 4, 3, 2, 1];
    expect(unreadNeighbour(ids, unread, 3, 1)).toBe(1);
    expect(unreadNeighbour(ids, unread, 3, -1)).toBe(5);
    expect(unreadNeighbour(ids, unread, 1, 1)).toBe(5);
    expect(unreadNeighbour(ids, unread, 5, -1)).toBe(1);
    expect(unreadNeighbour(ids, unread, null, 1)).toBe(5);
    expect(unreadNeighbour(ids, (id) => id === 3, 3, 1)).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { placeWithin } from './place-menu.ts';

const WINDOW = { width: 1000, height: 800 };
const MENU = { width: 240, height: 300 };
const button = (left: number, top: number) => ({ left, right: left + 36, top, bottom: top + 36 });

describe('placeWithin', () => {
  test('a menu opens below its button, with the edges in line', () => {
    const box = button(400, 100);
    expect(placeWithin(MENU, { box, align: 'left' }, WINDOW)).toEqual({ left: 400, top: 140 });
    expect(placeWithin(MENU, { box, align: 'right' }, WINDOW)).toEqual({ left: 196, top: 140 });
  });

  test('where there is no space below, it opens above', () => {
    expect(placeWithin(MENU, { box: button(400, 600), align: 'left' }, WINDOW)).toEqual({
      left: 400,
      top: 296,
    });
  });

  test('it stays within the window, 8 px from each edge', () => {
    expect(placeWithin(MENU, { box: button(990, 100), align: 'left' }, WINDOW).left).toBe(752);
    expect(placeWithin(MENU, { box: button(0, 100), align: 'right' }, WINDOW).left).toBe(8);
    const low = { ...WINDOW, height: 320 };
    expect(placeWithin(MENU, { box: button(400, 200), align: 'left' }, low).top).toBe(8);
  });
});

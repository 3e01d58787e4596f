import { expect, test } from 'vitest';
import { drawTile } from './tab-icon.ts';

const drawn = (name: string, isNews = false) => decodeURIComponent(drawTile({ roomId: 7, name, isNews }));

test('the icon of the tab is the tile of the room: its letter on its hue', () => {
  expect(drawn('ops')).toContain('>O</text>');
  expect(drawn('ops')).toContain('oklch(52% 0.15 243)');
});

test('unread messages anywhere put a dot on it', () => {
  expect(drawn('ops')).not.toContain('<circle');
  expect(drawn('ops', true)).toContain('<circle');
});

test('no name is markup within it', () => {
  for (const name of ['<script>', '&', '<', '</text>']) {
    const inside = /<text[^>]*>(.*)<\/text>/.exec(drawn(name))?.[1] ?? '';
    expect(inside).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  }
});

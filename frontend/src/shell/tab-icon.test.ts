import { expect, test } from 'vitest';
import { drawDoor } from './tab-icon.ts';

const drawn = (name: string, isNews = false, emoji: string | null = null) =>
  decodeURIComponent(drawDoor({ roomId: 7, name, emoji, hue: null, isNews }));

test('the icon of the tab is the door of the room: its emoji or letter on its hue', () => {
  expect(drawn('ops')).toContain('>O</text>');
  expect(drawn('ops')).toContain('oklch(50% 0.15 10)');
  expect(drawn('ops', false, '🚀')).toContain('>🚀</text>');
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

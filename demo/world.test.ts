import { describe, expect, test } from 'vitest';
import { normalizeRoomName, normalizeUsername } from '../protocol/names.ts';
import { isMessageContent, nameKey } from '../protocol/text.ts';
import { DEMO_SIZE, planWorld } from './world.ts';

const NOW = Date.parse('2026-11-19T10:24:00Z');

describe('the planned world', () => {
  const world = planWorld({ size: DEMO_SIZE, seed: 1, now: NOW });

  test('is the same for the same seed and now, and another for another seed', () => {
    expect(planWorld({ size: DEMO_SIZE, seed: 1, now: NOW })).toEqual(world);
    expect(planWorld({ size: DEMO_SIZE, seed: 2, now: NOW })).not.toEqual(world);
  });

  test('has 12 rooms, 40 people and 5000 messages, in the order of time and all in the past', () => {
    expect(world.rooms).toHaveLength(12);
    expect(world.people).toHaveLength(40);
    expect(world.messages).toHaveLength(5000);
    const times = world.messages.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(NOW);
  });

  test('every name and every text is one that the server takes, and no word is left unfilled', () => {
    for (const name of world.people) expect(normalizeUsername(name)).toBe(name);
    for (const { name } of world.rooms) expect(normalizeRoomName(name)).toBe(name);
    expect(new Set(world.people.map(nameKey)).size).toBe(40);
    for (const { content } of world.messages) {
      expect(isMessageContent(content)).toBe(true);
      expect(content).not.toMatch(/\{[\p{L}\d]+\}/u);
    }
  });

  test('only members talk in a room, and in every room somebody does', () => {
    for (const room of world.rooms) {
      const said = world.messages.filter((message) => message.room === room.name);
      expect(said.length).toBeGreaterThan(20);
      expect(said.filter(({ who }) => !room.members.includes(who))).toEqual([]);
    }
  });

  test.each([
    { rooms: 1, people: 4, messages: 10 },
    { rooms: 30, people: 100, messages: 1 },
    { rooms: 3, people: 5, messages: 0 },
  ])('can be of another size: %o', (size) => {
    const other = planWorld({ size, seed: 7, now: NOW });
    expect([other.rooms.length, other.people.length, other.messages.length]).toEqual(Object.values(size));
  });
});

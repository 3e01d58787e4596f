import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, RoomInfo } from '../../../../client/index.ts';
import { type OnDevice, searchDevice } from './device-search.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

function message(id: number, content: string, more: Partial<Message> = {}): Message {
  return {
    ...{ type: 'message', id, room_id: 1, user_id: 1, username: 'ann', seq: id, content },
    ...{ created_at: '2026-11-27T10:00:00.000Z', ...more },
  };
}

const PDF = { key: 'k', name: 'march plan.pdf', type: 'application/pdf', size: 1 };
const PICTURE = { key: 'p', name: 'a.png', type: 'image/png', size: 1, alt: 'a zeppelin' };
const MESSAGES = [
  message(1, 'The zeppelin lands at noon'),
  message(2, 'A zeppelin', {
    user_id: 2,
    username: 'Bo Lee',
    room_id: 2,
    created_at: '2026-11-28T10:00:00.000Z',
  }),
  message(3, 'see https://example.org', { pinned_at: '2026-11-28T10:00:00.000Z', revision: 1 }),
  message(4, '', { files: [PDF] }),
  message(5, '', { files: [PICTURE], room_id: 3, user_id: 2, username: 'Bo Lee' }),
  message(6, 'a zeppelin that is gone', { deleted_at: '2026-11-28T10:00:00.000Z' }),
  message(7, 'a reply', { thread_id: 1 }),
  message(9, 'a zeppelin over a room that one is not in', { room_id: 4 }),
  message(8, 'a zeppelin of somebody blocked', { user_id: 9, username: 'cy' }),
];
const ROOMS = [
  { id: 1, kind: 'public', name: 'general' },
  { id: 2, kind: 'private', name: 'Two Words' },
  { id: 4, kind: 'public', name: 'plaza' },
  { id: 3, kind: 'dm', name: 'Bo', people: [{ user_id: 2, username: 'Bo Lee', display_name: 'Bo' }] },
] as unknown as readonly RoomInfo[];
const DEVICE: OnDevice = {
  ...{
    messages: MESSAGES,
    rooms: ROOMS,
    ownIds: new Set([1, 2, 3]),
    savedIds: new Set([4]),
    blocked: new Set([9]),
  },
  ...{ me: { id: 1, username: 'ann' }, order: 'newest', timeZone: 'UTC', now: NOW },
};

describe('on the device', () => {
  test.each<[string, number[]]>([
    ['zeppelin', [5, 2, 1]],
    ['zeppelin from:me', [1]],
    ['zeppelin from:"bo lee"', [5, 2]],
    ['zeppelin from:me from:"bo lee"', [5, 2, 1]],
    ['zeppelin -from:me', [5, 2]],
    ['zeppelin in:"two words"', [2]],
    ['zeppelin in:general in:"two words"', [2, 1]],
    ['zeppelin in:all', [9, 5, 2, 1]],
    ['zeppelin in:plaza', [9]],
    ['with:"bo lee"', [5]],
    ['in:"@bo lee"', [5]],
    ['in:"no such room"', []],
    ['on:today', [2]],
    ['zeppelin before:today', [5, 1]],
    ['zeppelin after:yesterday', [2]],
    ['on:2026-02-30', []],
    ['has:link', [3]],
    ['has:file', [5, 4]],
    ['has:picture', [5]],
    ['is:pinned', [3]],
    ['is:edited', [3]],
    ['is:saved', [4]],
    ['is:thread', [7]],
    ['march', [4]],
    ['', []],
    ['!!!', []],
  ])('%j finds %j', (query, ids) => {
    expect(searchDevice(query, DEVICE).map(({ message: { id } }) => id)).toEqual(ids);
  });

  test('says where the words are, in the text and in the names and descriptions of files', () => {
    expect(searchDevice('noon', DEVICE)[0]?.hits).toEqual([[22, 26]]);
    expect(searchDevice('march', DEVICE)[0]?.file_hits).toEqual([{ key: 'k', name: [[0, 5]], alt: [] }]);
    expect(searchDevice('zeppelin has:picture', DEVICE)[0]?.file_hits).toEqual([
      { key: 'p', name: [], alt: [[2, 10]] },
    ]);
  });
});

test('whatever is typed, nothing deleted and nobody blocked is found, and the newest is first', () => {
  const piece = fc.constantFrom(
    'zeppelin',
    '-noon',
    'from:me',
    'in:general',
    'has:file',
    'is:saved',
    'on:today',
    'a',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const ids = searchDevice(pieces.join(' '), DEVICE).map(({ message: { id } }) => id);
      expect(ids.filter((id) => id === 6 || id === 8)).toEqual([]);
      expect(ids).toEqual([...ids].sort((a, b) => b - a));
    }),
  );
});

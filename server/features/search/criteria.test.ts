import { expect, test } from 'vitest';
import { dayMarks } from '../../data/search/marks.ts';
import type { SearchScope } from '../../data/storage/store.ts';
import { criteriaOf, readQuery } from './criteria.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const SCOPE: SearchScope = {
  rooms: [
    { roomId: 1, name: 'Kitchen', isMember: true },
    { roomId: 2, name: 'Lab', isMember: true },
    { roomId: 3, name: '', isMember: true },
    { roomId: 9, name: 'Open', isMember: false },
  ],
  people: [{ userId: 7, usernameKey: 'bo', dmIds: [3] }],
  timeZone: null,
};

function read(typed: string) {
  const parts = { scope: SCOPE, userId: 5, stems: () => [], timeZone: 'UTC', now: NOW };
  return criteriaOf(readQuery(typed), parts);
}

const tokens = (typed: string) =>
  read(typed).conditions.map((anyOf) => anyOf.map((one) => ('token' in one ? one.token : `${one.prefix}*`)));

test('without in: a search goes through the rooms that one is in', () => {
  expect(read('hello').roomIds).toEqual([1, 2, 3]);
});

test('in: chooses rooms by name, with or without #, several of them, and all', () => {
  expect(read('hello in:kitchen').roomIds).toEqual([1]);
  expect(read('hello in:#Lab in:kitchen').roomIds).toEqual([1, 2]);
  expect(read('hello in:open').roomIds).toEqual([9]);
  expect(read('hello in:all').roomIds).toEqual([1, 2, 3, 9]);
  expect(read('hello in:nowhere').roomIds).toEqual([]);
  expect(read('hello -in:lab').roomIds).toEqual([1, 3]);
});

test('with: and in:@ choose direct conversations', () => {
  expect(read('hello with:bo').roomIds).toEqual([3]);
  expect(read('hello in:@bo').roomIds).toEqual([3]);
  expect(read('hello with:nobody').roomIds).toEqual([]);
  expect(read('hello -with:bo').roomIds).toEqual([1, 2]);
});

test('from: asks the index for any of the authors, and for nobody where there is no such person', () => {
  expect(tokens('from:bo from:me')).toEqual([['\u{E000}u7', '\u{E000}u5']]);
  expect(tokens('from:nobody')).toEqual([['\u{E000}u0']]);
  expect(tokens('hi -from:bo')).toEqual([['hi']]);
});

test('has: and is: ask the index, but for bookmarks, which are one person’s', () => {
  expect(tokens('has:picture is:pinned')).toEqual([['\u{E000}hpicture'], ['\u{E000}ipinned']]);
  expect([read('is:saved').isOfSaved, tokens('is:saved')]).toEqual([true, []]);
  expect([read('-is:saved x').isOfSaved, read('-is:saved x').conditions.length]).toEqual([false, 1]);
});

test('days ask the index for messages of that time, each one further; where no time is left, for no room', () => {
  const asked = (typed: string, written: string) => {
    const own = new Set(dayMarks(Date.parse(`${written}T12:00:00Z`)));
    const { conditions, roomIds } = read(typed);
    return (
      roomIds.length > 0 &&
      conditions.every((anyOf) => anyOf.some((one) => 'token' in one && own.has(one.token)))
    );
  };
  for (const [typed, days] of [
    ['on:2026-11-28', [false, true, false]],
    ['after:2026-11-26', [true, true, true]],
    ['after:2026-11-27', [false, true, true]],
    ['before:2026-11-28', [true, false, false]],
    ['after:2026-11-26 before:2026-11-29', [true, true, false]],
    ['after:2026-11-27 before:2026-11-28', [false, false, false]],
    ['on:2031', [false, false, false]],
  ] as const)
    expect(
      ['2026-11-27', '2026-11-28', '2026-11-29'].map((day) => asked(typed, day)),
      typed,
    ).toEqual(days);
  expect(read('after:2026-11-27 before:2026-11-28').roomIds).toEqual([]);
  expect(read('x -on:2026-11-28').conditions).toHaveLength(1);
});

test('nothing to look for, too much of it, and a day that is none are refused', () => {
  const many = Array.from({ length: 13 }, (_, at) => `word${at}`).join(' ');
  const filters = Array.from({ length: 13 }, (_, at) => `from:u${at}`).join(' ');
  for (const typed of ['', '...', many, filters, 'on:someday', '今'.repeat(300)])
    expect(() => read(typed)).toThrow('invalid query');
});

import { describe, expect, test } from 'vitest';
import type { RoomInfo } from '../../../../client/index.ts';
import { dayOptions, isDayValue, knownPeople, peopleOptions, roomOptions, valueOptions } from './options.ts';

const room = (id: number, name: string, more: Partial<RoomInfo> = {}) =>
  ({ id, kind: 'public', name, topic: '', emoji: null, hue: null, ...more }) as RoomInfo;
const ROOMS = [
  room(1, 'general'),
  room(2, 'Grün und Gold'),
  room(3, 'Ann Lee', { kind: 'dm', people: [{ user_id: 7, username: 'ann', display_name: 'Ann Lee' }] }),
];
const ALL = { label: 'All rooms', note: 'public ones, too' };
const values = (options: readonly { value: string }[]) => options.map(({ value }) => value);

describe('what is offered', () => {
  test('of rooms the open one first, a conversation by its person, and all rooms last', () => {
    expect(values(roomOptions(ROOMS, '', 2, ALL))).toEqual(['Grün und Gold', 'general', '@ann', 'all']);
    expect(values(roomOptions(ROOMS, 'gru', null, ALL))).toEqual(['Grün und Gold']);
    expect(values(roomOptions(ROOMS, '#gene', null, ALL))).toEqual(['general']);
    expect(values(roomOptions(ROOMS, 'lee', null, ALL))).toEqual(['@ann']);
  });

  test('the user as "me", before others', () => {
    const me = { id: 1, username: 'bo', label: 'Me' };
    const ann = { id: 7, username: 'ann', display_name: 'Ann Lee' } as Parameters<typeof peopleOptions>[0][0];
    expect(values(peopleOptions([ann], '', me))).toEqual(['me', 'ann']);
    expect(values(peopleOptions([], 'bo', me))).toEqual(['me']);
    expect(values(peopleOptions([ann], 'an', me))).toEqual(['ann']);
  });

  test('before a letter the people of direct conversations, then others who are known, by name', () => {
    type Known = Parameters<typeof peopleOptions>[0][0];
    const known = new Map(
      [
        { id: 1, username: 'bo', display_name: '' },
        { id: 7, username: 'zoe', display_name: 'Ann Lee' },
        { id: 8, username: 'cy', display_name: '' },
        { id: 9, username: 'gone', display_name: '', kind: 'removed' },
        { id: 10, username: 'abe', display_name: '' },
      ].map((person) => [person.id, { kind: 'person', ...person } as Known]),
    );
    const idsOf = (people: readonly Known[]) => people.map(({ id }) => id);
    expect(idsOf(knownPeople(known, [8, 8, 99], { withOthers: true, myId: 1 }))).toEqual([8, 10, 7]);
    expect(idsOf(knownPeople(known, [8], { withOthers: false, myId: 1 }))).toEqual([8]);
  });

  test('values by their name and by their label', () => {
    const labels = { picture: '图片', file: '文件' };
    expect(values(valueOptions(labels, ''))).toEqual(['picture', 'file']);
    expect(values(valueOptions(labels, 'pic'))).toEqual(['picture']);
    expect(values(valueOptions(labels, '文'))).toEqual(['file']);
  });

  test('days that are often meant, and the one that is typed', () => {
    const texts = { today: 'today', yesterday: 'yesterday', nameOf: (value: string) => value };
    const now = new Date(2026, 0, 15);
    expect(values(dayOptions('', now, texts))).toEqual([
      'today',
      'yesterday',
      '2026-01-08',
      '2026-01',
      '2025-12',
      '2026',
      '2025',
    ]);
    expect(values(dayOptions('2025-0', now, texts))).toEqual([]);
    expect(values(dayOptions('2024-02', now, texts))).toEqual(['2024-02']);
    expect(values(dayOptions('to', now, texts))).toEqual(['today']);
  });
});

test.each([
  ['2026', true],
  ['2026-2', true],
  ['2026-02-28', true],
  ['2026-02-30', false],
  ['2026-13', false],
  ['1969', false],
  ['soon', false],
])('%s is a day that there is: %s', (value, isDay) => expect(isDayValue(value)).toBe(isDay));

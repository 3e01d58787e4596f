import { describe, expect, test } from 'vitest';
import type { SwitcherRoom } from './room-index.ts';
import { peopleGroup, type SwitcherGroup, switcherSearch } from './switcher-items.ts';

const ROOMS: SwitcherRoom[] = ['Design', 'General', 'Release 2.4', 'Café', '研发讨论', 'Reading group'].map(
  (name, index) => ({ id: index + 1, name }),
);

const COMMANDS = [
  { id: 'dark', label: 'Theme: Dark', keywords: 'night' },
  { id: 'help', label: 'Keyboard shortcuts', keywords: 'help keys' },
];

const NOTHING_UNREAD = { unread: new Map<number, number>(), currentId: null };
const search = switcherSearch(ROOMS, COMMANDS);

/** "rooms: Design, General". */
function sketch(groups: readonly SwitcherGroup[]): string[] {
  return groups.map(({ kind, items }) => {
    const labels = items.map((item) => item.label.map((part) => part.text).join(''));
    return `${kind}: ${labels.join(', ')}`;
  });
}

describe('with nothing typed', () => {
  test('shows unread rooms first, then the others, then commands, without the open room', () => {
    const unread = new Map([
      [3, 2],
      [6, 1],
    ]);
    expect(sketch(search('', { unread, currentId: 2 }))).toEqual([
      'unread: Release 2.4, Reading group',
      'rooms: Design, Café, 研发讨论',
      'commands: Theme: Dark, Keyboard shortcuts',
    ]);
  });
});

test('with nothing typed, direct conversations are people', () => {
  const rooms = [...ROOMS.slice(0, 1), { id: 9, name: 'Ines Moreau', kind: 'dm' as const }];
  expect(sketch(switcherSearch(rooms, [])('', NOTHING_UNREAD))).toEqual([
    'rooms: Design',
    'people: Ines Moreau',
  ]);
});

describe('a query', () => {
  test.each([
    ['gen', 'General'],
    ['RELEASE', 'Release 2.4'],
    ['r24', 'Release 2.4'],
    ['cafe', 'Café'],
    ['研论', '研发讨论'],
    ['group read', 'Reading group'],
  ])('“%s” finds %s first', (query, name) => {
    expect(sketch(search(query, NOTHING_UNREAD))[0]).toMatch(new RegExp(`^rooms: ${name}`));
  });

  test.each([
    ['cafe', 'Café talk'],
    ['ubersicht', 'Übersicht'],
    ['sao', 'São Paulo'],
    ['team alpha', 'team-alpha'],
    ['lodz', 'Łódź'],
    ['obrien', 'O’Brien'],
    ["o'brien", 'O’Brien'],
    ['strasse', 'Straße'],
    ['smorrebrod', 'Smørrebrød'],
    ['ελενη', 'Ελένη'],
    ['STRASSE', 'Straße'],
    ['Ubersicht', 'Übersicht'],
    ['jurgen mu', 'Jürgen Müller'],
    ['nguyen', 'Nguyễn Văn'],
  ])('without accents: “%s” finds %s', (query, name) => {
    const others = ['General', 'Design', 'Random', name].map((each, at) => ({ id: at + 1, name: each }));
    expect(sketch(switcherSearch(others, [])(query, NOTHING_UNREAD))).toEqual([`rooms: ${name}`]);
  });

  test('finds a command by its name and by other words for it', () => {
    expect(sketch(search('dark', NOTHING_UNREAD))).toEqual(['commands: Theme: Dark']);
    expect(sketch(search('night', NOTHING_UNREAD))).toEqual(['commands: Theme: Dark']);
  });

  test('puts the unread room first among equals', () => {
    const twins = switcherSearch(
      [
        { id: 1, name: 'Tea one' },
        { id: 2, name: 'Tea two' },
      ],
      [],
    );
    expect(sketch(twins('tea', { unread: new Map([[2, 1]]), currentId: null }))).toEqual([
      'rooms: Tea two, Tea one',
    ]);
  });

  test('finds the open room, too, after others that fit as well', () => {
    const twins = switcherSearch(
      [
        { id: 1, name: 'Tea one' },
        { id: 2, name: 'Tea two' },
      ],
      [],
    );
    expect(sketch(twins('tea', { unread: new Map(), currentId: 1 }))).toEqual(['rooms: Tea two, Tea one']);
    expect(sketch(twins('tea one', { unread: new Map(), currentId: 1 }))).toEqual(['rooms: Tea one']);
  });

  test('highlights what matched in the whole label', () => {
    const [group] = search('rel', NOTHING_UNREAD);
    expect(group?.items[0]?.label).toEqual([
      { text: 'Rel', isMatch: true },
      { text: 'ease 2.4', isMatch: false },
    ]);
  });

  test('without a match finds nothing', () => {
    expect(search('zzzz', NOTHING_UNREAD)).toEqual([]);
  });
});

test('of 5000 rooms at most 50 are offered', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ id: index + 1, name: `Project ${index}` }));
  const [group] = switcherSearch(many, [])('project', NOTHING_UNREAD);
  expect(group?.items).toHaveLength(50);
});

test('a person is listed by the display name, and by the username where it differs', () => {
  const person = { status: null, time_zone: null, role: 'member', kind: 'person', suspended: false } as const;
  const group = peopleGroup([
    { ...person, id: 1, username: 'ann', display_name: 'Ann Berg', version: 1 },
    { ...person, id: 2, username: 'bo', display_name: '', version: 1 },
    { ...person, id: 3, username: 'cy', display_name: 'cy', version: 1 },
  ]);
  expect(sketch([group])).toEqual(['people: Ann Berg (ann), bo, cy']);
});

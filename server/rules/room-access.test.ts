import { describe, expect, it } from 'vitest';
import type { UserRole } from '../../protocol/people.ts';
import type { RoomRole } from '../../protocol/rooms.ts';
import {
  type Action,
  effectiveRole,
  type MemberState,
  may,
  outranks,
  type RoomState,
} from './room-access.ts';

/**
 * What each person may do in each kind of room, written down: `yes`, `no` for what is refused, and `-` where the room
 * does not exist for them. A person is a role on the server and a standing in the room.
 */
const PUBLIC = `
| server, room      | see | read | post | join | leave | hide | add | remove | role | invite | edit | own | default | edit text | delete own | delete | react | pin | call |
| admin, owner      | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | yes       | yes        | yes    | yes   | yes | yes  |
| admin, moderator  | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | yes       | yes        | yes    | yes   | yes | yes  |
| admin, member     | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | yes       | yes        | yes    | yes   | yes | yes  |
| admin, silenced   | yes | yes  | no   | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | no        | yes        | yes    | no    | yes | no   |
| admin, left       | yes | yes  | yes  | yes  | no    | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | yes       | yes        | yes    | yes   | yes | yes  |
| admin, banned     | yes | yes  | no   | no   | no    | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | no        | yes        | yes    | no    | yes | no   |
| admin, none       | yes | yes  | yes  | yes  | no    | no   | yes | yes    | yes  | yes    | yes  | yes | yes     | yes       | yes        | yes    | yes   | yes | yes  |
| member, owner     | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | no      | yes       | yes        | yes    | yes   | yes | yes  |
| member, moderator | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | no   | yes    | yes  | no  | no      | yes       | yes        | yes    | yes   | yes | yes  |
| member, member    | yes | yes  | yes  | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| member, silenced  | yes | yes  | no   | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| member, left      | yes | yes  | yes  | yes  | no    | no   | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | no  | no   |
| member, banned    | yes | yes  | no   | no   | no    | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, none      | yes | yes  | yes  | yes  | no    | no   | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | no  | no   |
| guest, owner      | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | no      | yes       | yes        | yes    | yes   | yes | yes  |
| guest, moderator  | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | no   | yes    | yes  | no  | no      | yes       | yes        | yes    | yes   | yes | yes  |
| guest, member     | yes | yes  | yes  | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| guest, silenced   | yes | yes  | no   | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| guest, left       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, none       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |`;

const PRIVATE = `
| server, room      | see | read | post | join | leave | hide | add | remove | role | invite | edit | own | default | edit text | delete own | delete | react | pin | call |
| admin, owner      | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | no      | yes       | yes        | yes    | yes   | yes | yes  |
| admin, moderator  | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | no   | yes    | yes  | no  | no      | yes       | yes        | yes    | yes   | yes | yes  |
| admin, member     | yes | yes  | yes  | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| admin, silenced   | yes | yes  | no   | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| admin, left       | yes | -    | -    | yes  | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| admin, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| admin, none       | yes | -    | -    | yes  | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, owner     | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | no      | yes       | yes        | yes    | yes   | yes | yes  |
| member, moderator | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | no   | yes    | yes  | no  | no      | yes       | yes        | yes    | yes   | yes | yes  |
| member, member    | yes | yes  | yes  | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| member, silenced  | yes | yes  | no   | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| member, left      | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, banned    | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, none      | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, owner      | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | yes  | yes    | yes  | yes | no      | yes       | yes        | yes    | yes   | yes | yes  |
| guest, moderator  | yes | yes  | yes  | yes  | yes   | no   | yes | yes    | no   | yes    | yes  | no  | no      | yes       | yes        | yes    | yes   | yes | yes  |
| guest, member     | yes | yes  | yes  | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| guest, silenced   | yes | yes  | no   | yes  | yes   | no   | yes | no     | no   | yes    | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| guest, left       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, none       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |`;

const DM = `
| server, room      | see | read | post | join | leave | hide | add | remove | role | invite | edit | own | default | edit text | delete own | delete | react | pin | call |
| admin, owner      | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| admin, moderator  | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| admin, member     | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| admin, silenced   | yes | yes  | no   | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| admin, left       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| admin, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| admin, none       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, owner     | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| member, moderator | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| member, member    | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| member, silenced  | yes | yes  | no   | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| member, left      | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, banned    | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, none      | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, owner      | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| guest, moderator  | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| guest, member     | yes | yes  | yes  | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | yes       | yes        | no     | yes   | yes | yes  |
| guest, silenced   | yes | yes  | no   | no   | no    | yes  | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | yes | no   |
| guest, left       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, none       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |`;

const ARCHIVED = `
| server, room      | see | read | post | join | leave | hide | add | remove | role | invite | edit | own | default | edit text | delete own | delete | react | pin | call |
| admin, owner      | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| admin, moderator  | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| admin, member     | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| admin, silenced   | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| admin, left       | yes | yes  | no   | no   | no    | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| admin, banned     | yes | yes  | no   | no   | no    | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| admin, none       | yes | yes  | no   | no   | no    | no   | no  | yes    | yes  | no     | no   | yes | yes     | no        | yes        | yes    | no    | no  | no   |
| member, owner     | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | no      | no        | yes        | yes    | no    | no  | no   |
| member, moderator | yes | yes  | no   | yes  | yes   | no   | no  | yes    | no   | no     | no   | no  | no      | no        | yes        | yes    | no    | no  | no   |
| member, member    | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, silenced  | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, left      | yes | yes  | no   | no   | no    | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, banned    | yes | yes  | no   | no   | no    | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, none      | yes | yes  | no   | no   | no    | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| guest, owner      | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | no      | no        | yes        | yes    | no    | no  | no   |
| guest, moderator  | yes | yes  | no   | yes  | yes   | no   | no  | yes    | no   | no     | no   | no  | no      | no        | yes        | yes    | no    | no  | no   |
| guest, member     | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| guest, silenced   | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| guest, left       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, none       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |`;

const ARCHIVED_PRIVATE = `
| server, room      | see | read | post | join | leave | hide | add | remove | role | invite | edit | own | default | edit text | delete own | delete | react | pin | call |
| admin, owner      | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | no      | no        | yes        | yes    | no    | no  | no   |
| admin, moderator  | yes | yes  | no   | yes  | yes   | no   | no  | yes    | no   | no     | no   | no  | no      | no        | yes        | yes    | no    | no  | no   |
| admin, member     | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| admin, silenced   | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| admin, left       | yes | -    | -    | no   | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| admin, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| admin, none       | yes | -    | -    | no   | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, owner     | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | no      | no        | yes        | yes    | no    | no  | no   |
| member, moderator | yes | yes  | no   | yes  | yes   | no   | no  | yes    | no   | no     | no   | no  | no      | no        | yes        | yes    | no    | no  | no   |
| member, member    | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, silenced  | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| member, left      | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, banned    | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| member, none      | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, owner      | yes | yes  | no   | yes  | yes   | no   | no  | yes    | yes  | no     | no   | yes | no      | no        | yes        | yes    | no    | no  | no   |
| guest, moderator  | yes | yes  | no   | yes  | yes   | no   | no  | yes    | no   | no     | no   | no  | no      | no        | yes        | yes    | no    | no  | no   |
| guest, member     | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| guest, silenced   | yes | yes  | no   | yes  | yes   | no   | no  | no     | no   | no     | no   | no  | no      | no        | yes        | no     | no    | no  | no   |
| guest, left       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, banned     | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |
| guest, none       | -   | -    | -    | -    | -     | -    | -   | -      | -    | -      | -    | -   | -       | -         | -          | -      | -     | -   | -    |`;

const ROOMS: Record<string, [table: string, room: RoomState]> = {
  public: [PUBLIC, { kind: 'public', isArchived: false, settings: {}, members: 2 }],
  private: [PRIVATE, { kind: 'private', isArchived: false, settings: {}, members: 2 }],
  dm: [DM, { kind: 'dm', isArchived: false, settings: {}, members: 2 }],
  archived: [ARCHIVED, { kind: 'public', isArchived: true, settings: {}, members: 2 }],
  'archived and private': [ARCHIVED_PRIVATE, { kind: 'private', isArchived: true, settings: {}, members: 2 }],
};

const STANDINGS: Record<string, MemberState | null> = {
  owner: standing('owner'),
  moderator: standing('moderator'),
  member: standing('member'),
  silenced: standing('member', { isSilenced: true }),
  left: standing('member', { hasLeft: true }),
  banned: standing('member', { hasLeft: true, isBanned: true }),
  none: null,
};

/** The actions by their short names in the tables. */
const ACTIONS: Record<string, Action> = {
  ...{
    see: 'see',
    read: 'read',
    post: 'post',
    join: 'join',
    leave: 'leave',
    hide: 'hide',
    add: 'add_member',
  },
  ...{ remove: 'remove_member', role: 'set_role', invite: 'invite', edit: 'edit', own: 'own' },
  default: 'make_default',
  ...{ 'edit text': 'edit_own_text', 'delete own': 'delete_own_text', delete: 'delete_text' },
  ...{ react: 'react', pin: 'pin', call: 'mention_room' },
};

const VERDICTS: Record<string, string> = { yes: 'allowed', no: 'forbidden', '-': 'hidden' };

function standing(role: RoomRole, change: Partial<MemberState> = {}): MemberState {
  return { role, hasLeft: false, isBanned: false, isSilenced: false, ...change };
}

/** Rows of cells, without the bars. */
function cellsOf(table: string): string[][] {
  const lines = table.trim().split('\n');
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe.each(Object.entries(ROOMS))('a room that is %s', (_, [table, room]) => {
  const [[, ...actions] = [], ...rows] = cellsOf(table);

  it('has a cell for each action and each person', () => {
    expect(actions).toEqual(Object.keys(ACTIONS));
    const people = ['admin', 'member', 'guest'].flatMap((role) =>
      Object.keys(STANDINGS).map((name) => `${role}, ${name}`),
    );
    expect(rows.map(([person]) => person)).toEqual(people);
    for (const row of rows) expect(row).toHaveLength(actions.length + 1);
  });

  it.each(rows)('%s', (person, ...cells) => {
    const [role, name = ''] = (person ?? '').split(', ');
    const member = STANDINGS[name] ?? null;
    const actual = actions.map((short) => {
      const action = ACTIONS[short];
      return action && may(action, { role: role as UserRole }, room, member);
    });
    expect(actual).toEqual(cells.map((cell) => VERDICTS[cell]));
  });
});

it('where the room says so, only moderators and owners invite', () => {
  const room: RoomState = {
    kind: 'private',
    isArchived: false,
    settings: { invite: 'moderator' },
    members: 2,
  };
  const invite = (role: RoomRole) => may('invite', { role: 'member' }, room, standing(role));
  expect([invite('member'), invite('moderator'), invite('owner')]).toEqual([
    'forbidden',
    'allowed',
    'allowed',
  ]);
});

it('where the room says so, only moderators and owners pin', () => {
  const room: RoomState = { kind: 'public', isArchived: false, settings: { pin: 'moderator' }, members: 2 };
  const pin = (role: RoomRole) => may('pin', { role: 'member' }, room, standing(role));
  expect([pin('member'), pin('moderator'), pin('owner')]).toEqual(['forbidden', 'allowed', 'allowed']);
});

it('in a room with more than 50 members, only moderators and owners call all, unless its settings say otherwise', () => {
  const call = (members: number, settings: RoomState['settings'] = {}) =>
    (['member', 'moderator'] as const).map((role) =>
      may(
        'mention_room',
        { role: 'member' },
        { kind: 'private', isArchived: false, settings, members },
        standing(role),
      ),
    );
  expect(call(50)).toEqual(['allowed', 'allowed']);
  expect(call(51)).toEqual(['forbidden', 'allowed']);
  expect(call(51, { mention_room: 'member' })).toEqual(['allowed', 'allowed']);
  expect(call(2, { mention_room: 'moderator' })).toEqual(['forbidden', 'allowed']);
});

it('a server admin counts as an owner in public rooms, and as what they are in others', () => {
  const role = (kind: RoomState['kind'], member: MemberState | null) =>
    effectiveRole({ role: 'admin' }, { kind, isArchived: false, settings: {}, members: 2 }, member);
  expect([role('public', null), role('private', null), role('dm', null)]).toEqual(['owner', null, null]);
  expect(role('private', standing('moderator'))).toBe('moderator');
  expect(role('private', standing('owner', { hasLeft: true }))).toBeNull();
});

it('a role outranks only those below it', () => {
  expect(outranks('owner', 'moderator')).toBe(true);
  expect(outranks('moderator', 'member')).toBe(true);
  expect(outranks('owner', 'owner')).toBe(false);
  expect(outranks('member', 'moderator')).toBe(false);
});

import { describe, expect, test } from 'vitest';
import type { RoomRole, RoomSettings } from '../../../../protocol/rooms.ts';
import { type CallFacts, callOf, isLoud, mayCall, outsidersIn } from './calls.ts';

interface Case {
  members?: number;
  role?: RoomRole;
  settings?: RoomSettings;
  isAdmin?: boolean;
}

function facts({ members = 10, role = 'member', settings = {}, isAdmin = false }: Case = {}): CallFacts {
  return { room: { kind: 'public', members, settings }, role, isAdmin, online: 5 };
}

describe('a call of the room', () => {
  test('counts all members, or those who are online', () => {
    expect(callOf(['hi @room'], facts())).toEqual({ room: 'room', count: 10, isAllowed: true });
    expect(callOf(['@here'], facts())).toEqual({ room: 'here', count: 5, isAllowed: true });
    expect(callOf(['@here', '@all'], facts())?.room).toBe('room');
    expect(callOf(['`@room` @ann'], facts())).toBeNull();
  });

  test('of more than 20 people is asked about, unless it would call nobody', () => {
    const loud = (of: Case) => isLoud(callOf(['@room'], facts(of)));
    expect([loud({ members: 20 }), loud({ members: 21 })]).toEqual([false, true]);
    expect([loud({ members: 51 }), loud({ members: 51, role: 'moderator' })]).toEqual([false, true]);
  });

  test('is for moderators and admins where the room is large or says so', () => {
    expect(mayCall(facts({ members: 50 }))).toBe(true);
    expect(mayCall(facts({ members: 51 }))).toBe(false);
    expect(mayCall(facts({ members: 51, isAdmin: true }))).toBe(true);
    expect(mayCall(facts({ members: 51, settings: { mention_room: 'member' } }))).toBe(true);
    expect(mayCall(facts({ settings: { mention_room: 'moderator' } }))).toBe(false);
  });
});

test('people who are mentioned and are no members are known', () => {
  const person = (id: number, username: string, isMember: boolean) => {
    return { id, username, displayName: '', isMember };
  };
  const byKey = new Map([
    ['ann', person(1, 'ann', true)],
    ['cy', person(2, 'Cy', false)],
  ]);
  const ids = (text: string) => outsidersIn(text, byKey).map(({ id }) => id);
  expect(ids('@ann @Cy. @cy @nobody')).toEqual([2]);
  expect(ids('`@cy` cy')).toEqual([]);
});

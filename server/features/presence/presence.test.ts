import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeElsewhere, Presence } from './presence.ts';

const ann = { userId: 1, username: 'ann' };
const bob = { userId: 2, username: 'bob' };

function watched() {
  const presence = new Presence();
  const elsewhere: ChangeElsewhere[] = [];
  presence.onChangeElsewhere = (change) => elsewhere.push(change);
  return { presence, elsewhere };
}

describe('Presence', () => {
  it('counts users, not sockets, and is never negative', () => {
    const visit = fc.record({ room: fc.nat(2), user: fc.nat(3), enters: fc.boolean() });
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 60 }), (visits) => {
        const presence = new Presence();
        const sockets = new Map<string, number>();
        for (const { room, user, enters } of visits) {
          const key = `${room} ${user}`;
          const before = sockets.get(key) ?? 0;
          // Every leave follows an enter.
          if (!enters && before === 0) continue;
          sockets.set(key, before + (enters ? 1 : -1));
          const change = enters
            ? presence.enter(room, { userId: user, username: 'x' })
            : presence.leave(room, user);
          const online = [...sockets].filter(([place, n]) => n > 0 && place.startsWith(`${room} `)).length;
          expect(change).toEqual({ changed: before === (enters ? 0 : 1), online });
          expect(presence.online(room)).toBe(online);
          expect(presence.users(room, 200)).toHaveLength(online);
        }
      }),
    );
  });

  it('users who are expected back after a planned restart count, and their return is no change', () => {
    const { presence, elsewhere } = watched();
    presence.expect('before', { roomId: 7, ...ann });
    expect(presence.online(7)).toBe(1);
    expect(presence.enter(7, bob)).toEqual({ changed: true, online: 2 });
    expect(presence.enter(7, ann)).toEqual({ changed: false, online: 2 });
    presence.forget('before', { roomId: 7, ...ann });
    expect(presence.leave(7, ann.userId)).toEqual({ changed: true, online: 1 });
    expect(elsewhere).toEqual([]);
  });

  it('users who were expected and did not come have left', () => {
    const { presence, elsewhere } = watched();
    const expected = [
      { roomId: 7, ...ann },
      { roomId: 7, ...bob },
      { roomId: 8, ...ann },
    ];
    for (const entry of expected) presence.expect('before', entry);
    presence.enter(7, bob);
    for (const entry of expected) presence.forget('before', entry);
    expect(elsewhere).toEqual([
      { roomId: 7, ...ann, isHere: false, online: 1 },
      { roomId: 8, ...ann, isHere: false, online: 0 },
    ]);
    expect([presence.online(7), presence.online(8)]).toEqual([1, 0]);
  });

  it('a user who came back after a planned restart and leaves is not waited for', () => {
    const { presence } = watched();
    presence.expect('before', { roomId: 7, ...ann });
    presence.enter(7, ann);
    expect(presence.leave(7, ann.userId)).toEqual({ changed: true, online: 0 });
  });

  it('a user who is in the room in two processes counts once, and leaves with the last socket of both', () => {
    const { presence, elsewhere } = watched();
    expect(presence.enter(7, ann)).toEqual({ changed: true, online: 1 });
    presence.enterElsewhere(7, ann);
    expect(presence.leave(7, ann.userId)).toEqual({ changed: false, online: 1 });
    expect(presence.enter(7, ann)).toEqual({ changed: false, online: 1 });
    presence.leaveElsewhere(7, ann.userId);
    expect(elsewhere).toEqual([]);
    expect(presence.leave(7, ann.userId)).toEqual({ changed: true, online: 0 });
    presence.enterElsewhere(7, bob);
    presence.leaveElsewhere(7, bob.userId);
    expect(elsewhere).toEqual([
      { roomId: 7, ...bob, isHere: true, online: 1 },
      { roomId: 7, ...bob, isHere: false, online: 0 },
    ]);
  });

  it('of two stops that a user is expected back after, the later one counts', () => {
    const { presence } = watched();
    presence.expect('first', { roomId: 7, ...ann });
    presence.expect('second', { roomId: 7, ...ann });
    presence.forget('first', { roomId: 7, ...ann });
    expect(presence.online(7)).toBe(1);
    presence.forget('second', { roomId: 7, ...ann });
    expect(presence.online(7)).toBe(0);
  });

  it('its own roster has the users with sockets of this process, and its changes are reported', () => {
    const { presence } = watched();
    const changes: unknown[] = [];
    presence.onOwnChange = (entry, isHere) => changes.push({ ...entry, isHere });
    presence.enterElsewhere(7, bob);
    presence.expect('before', { roomId: 8, ...bob });
    presence.enter(7, ann);
    presence.enter(7, ann);
    presence.enter(7, bob);
    expect(presence.own()).toEqual([
      { roomId: 7, ...bob },
      { roomId: 7, ...ann },
    ]);
    presence.leave(7, bob.userId);
    presence.leave(7, ann.userId);
    expect(changes).toEqual([
      { roomId: 7, ...ann, isHere: true },
      { roomId: 7, ...bob, isHere: true },
      { roomId: 7, ...bob, isHere: false },
    ]);
  });

  it('its roster has every user of every room', () => {
    const presence = new Presence();
    presence.enter(7, ann);
    presence.enter(7, ann);
    presence.enter(8, bob);
    expect(presence.roster()).toEqual([
      { roomId: 7, ...ann },
      { roomId: 8, ...bob },
    ]);
  });
});

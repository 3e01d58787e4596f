import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Presence } from './presence.ts';

const ann = { userId: 1, username: 'ann' };
const bob = { userId: 2, username: 'bob' };

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
    const presence = new Presence();
    presence.expect([{ roomId: 7, ...ann }]);
    expect(presence.online(7)).toBe(1);
    expect(presence.enter(7, bob)).toEqual({ changed: true, online: 2 });
    expect(presence.enter(7, ann)).toEqual({ changed: false, online: 2 });
    expect(presence.forgetAbsent()).toEqual([]);
    expect(presence.leave(7, ann.userId)).toEqual({ changed: true, online: 1 });
  });

  it('users who were expected and did not come have left', () => {
    const presence = new Presence();
    presence.expect([
      { roomId: 7, ...ann },
      { roomId: 7, ...bob },
      { roomId: 8, ...ann },
    ]);
    presence.enter(7, bob);
    expect(presence.forgetAbsent()).toEqual([
      { roomId: 7, ...ann, online: 1 },
      { roomId: 8, ...ann, online: 0 },
    ]);
    expect([presence.online(7), presence.online(8)]).toEqual([1, 0]);
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

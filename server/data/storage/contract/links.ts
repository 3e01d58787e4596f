import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Store, UserRow } from '../store.ts';
import { type ContractPart, DAY, HOUR, looksOf, NOW, newPrivateRoom, newUser, unique } from './subject.ts';

const AT = { actorId: null, now: NOW } as const;

/** What happens to somebody between the making of a link and its use; by the operator where it is an act on them. */
const CHANGES = {
  nothing: async () => {},
  'made an admin': async (store, { id: userId }) => {
    await store.setRole({ ...AT, userId, role: 'admin' });
  },
  'made a member': async (store, { id: userId }) => {
    await store.setRole({ ...AT, userId, role: 'member' });
  },
  'made a guest': async (store, { id: userId }) => {
    await store.setRole({ ...AT, userId, role: 'guest' });
  },
  'given another password': async (store, { id: userId }) => {
    const change = { userId, from: 'hash', to: 'another', keptId: 0, now: NOW };
    assert((await store.changePassword(change)) !== undefined);
  },
  suspended: async (store, { id: userId }) => {
    await store.setSuspended({ ...AT, userId, suspended: true, reason: '' });
  },
  'suspended for a while': async (store, { id: userId }) => {
    await store.setSuspended({ ...AT, userId, suspended: true, reason: '' });
    await store.setSuspended({ ...AT, userId, suspended: false, reason: '' });
  },
  'signed out everywhere': async (store, { id: userId }) => {
    await store.endSessions({ ...AT, userId });
  },
  removed: async (store, { id: userId }) => {
    await store.removeUser({ ...AT, userId, deletesTexts: false, reason: '' });
  },
} satisfies Record<string, (store: Store, user: UserRow) => Promise<void>>;

type Change = keyof typeof CHANGES;

/** For each link: the changes of its maker, and those of the person whom it is for, that it survives. */
const LINKS = {
  'a link of an admin that sets a password': {
    maker: ['nothing', 'made an admin', 'given another password', 'signed out everywhere'],
    target: ['nothing', 'made a member', 'signed out everywhere'],
  },
  'a link of the operator that sets a password': {
    maker: undefined,
    target: ['nothing', 'made a member', 'signed out everywhere'],
  },
  'a link of the operator that signs in': { maker: undefined, target: ['nothing', 'made a member'] },
  'an invitation of an admin to the server': {
    maker: [
      ...(['nothing', 'made an admin', 'given another password', 'suspended for a while'] as const),
      'signed out everywhere',
    ],
    target: undefined,
  },
  'an invitation of the operator to the server': { maker: undefined, target: undefined },
  'an invitation to a private room': {
    maker: [
      ...(['nothing', 'made an admin', 'made a member', 'made a guest', 'given another password'] as const),
      ...(['suspended for a while', 'signed out everywhere'] as const),
    ],
    target: [
      ...(['nothing', 'made an admin', 'made a member', 'made a guest', 'given another password'] as const),
      ...(['suspended for a while', 'signed out everywhere'] as const),
    ],
  },
} satisfies Record<string, { maker: readonly Change[] | undefined; target: readonly Change[] | undefined }>;

type Link = keyof typeof LINKS;

/** Makes the link and returns how it is used; the use tells whether it worked. */
async function make(
  store: Store,
  link: Link,
  { maker, target }: { maker: UserRow; target: UserRow },
): Promise<() => Promise<boolean>> {
  const terms = { codeHash: unique('code'), expiresAt: NOW + HOUR, now: NOW };
  const { codeHash } = terms;
  const actorId = link.includes('operator') ? null : maker.id;
  if (link.includes('password')) {
    const made = await store.createReset({ ...terms, actorId, userId: target.id });
    assert(made.outcome === 'created');
    return async () => {
      const found = await store.findReset({ codeHash, now: NOW });
      const used = await store.useReset({ codeHash, passwordHash: 'taken over', now: NOW });
      expect(found === undefined).toBe(used === undefined);
      return used !== undefined;
    };
  }
  if (link.includes('signs in')) {
    const made = await store.createSignInLink({ ...terms, userId: target.id });
    assert(made.outcome === 'created');
    return async () => {
      const found = await store.findSignInLink({ codeHash, now: NOW });
      const used = await store.useSignInLink({ codeHash, ...newSession(), now: NOW });
      expect(found !== undefined && !found.isSuspended).toBe(used !== undefined);
      return used !== undefined;
    };
  }
  if (link.includes('server')) {
    const made = await store.createServerInvite({ ...terms, actorId, maxUses: null });
    assert(made.outcome === 'created');
    return async () => await canRegister(store, codeHash);
  }
  const room = await newPrivateRoom(store, maker.id);
  const made = await store.createInvite({ ...terms, roomId: room.id, createdBy: maker.id, maxUses: null });
  assert(made.outcome === 'created');
  return async () => {
    const accepted = await store.acceptInvite({ codeHash, userId: target.id, now: NOW });
    const people = await store.members({ roomId: room.id, limit: 9 });
    expect(people.some(({ userId }) => userId === target.id)).toBe(accepted.outcome === 'changed');
    return accepted.outcome === 'changed';
  };
}

function newSession() {
  return { userAgent: 'a television', refreshHash: unique('token'), expiresAt: NOW + DAY };
}

/** While registration needs an invitation. */
async function canRegister(store: Store, inviteHash: string): Promise<boolean> {
  const name = unique('invited');
  await store.setRegistration({ ...AT, registration: 'invite' });
  const found = await store.findInvitation({ codeHash: inviteHash, now: NOW });
  const user = { username: name, key: name, ...looksOf(name), passwordHash: 'hash', now: NOW, inviteHash };
  const { outcome } = await store.createUser(user);
  await store.setRegistration({ ...AT, registration: 'open' });
  if (outcome === 'created') expect(found).toBeDefined();
  return outcome === 'created';
}

export const describeLinks: ContractPart = (subject) => {
  const changes = Object.keys(CHANGES) as Change[];

  describe.each(Object.entries(LINKS))('%s', (name, survives: (typeof LINKS)[Link]) => {
    const link = name as Link;
    const makers = survives.maker === undefined ? (['nothing'] as const) : changes;
    const targets = survives.target === undefined ? (['nothing'] as const) : changes;

    it.each(makers.flatMap((ofMaker) => targets.map((ofTarget) => [ofMaker, ofTarget] as const)))(
      'works by what both are at its use. Maker: %s. For somebody: %s',
      async (ofMaker, ofTarget) => {
        const { store } = subject();
        const [maker, target] = [await newUser(store), await newUser(store)];
        if (!link.includes('room')) await store.setRole({ ...AT, userId: maker.id, role: 'admin' });
        const use = await make(store, link, { maker, target });
        await CHANGES[ofTarget](store, target);
        await CHANGES[ofMaker](store, maker);
        const isLive =
          ((survives.maker ?? ['nothing']) as readonly Change[]).includes(ofMaker) &&
          ((survives.target ?? ['nothing']) as readonly Change[]).includes(ofTarget);
        expect(await use()).toBe(isLive);
        await store.setRole({ ...AT, userId: maker.id, role: 'member' });
        await store.setRole({ ...AT, userId: target.id, role: 'member' });
      },
    );
  });

  it('an invitation to a room also opens the registration, by what its maker is then: a guest brings nobody', async () => {
    const { store } = subject();
    for (const change of changes) {
      const [maker, target] = [await newUser(store), await newUser(store)];
      const room = await newPrivateRoom(store, maker.id);
      const terms = { codeHash: unique('code'), expiresAt: NOW + HOUR, maxUses: null, now: NOW };
      await store.createInvite({ ...terms, roomId: room.id, createdBy: maker.id });
      await CHANGES[change](store, maker);
      const isLive = (LINKS['an invitation to a private room'].maker as readonly Change[]).includes(change);
      const opens = isLive && change !== 'made a guest';
      expect([change, await canRegister(store, terms.codeHash)]).toEqual([change, opens]);
      await store.setRole({ ...AT, userId: maker.id, role: 'member' });
      await store.setRole({ ...AT, userId: target.id, role: 'member' });
    }
  });

  it('an invitation to the server names the admin who made it, and nobody where the operator did', async () => {
    const { store } = subject();
    const maker = await newUser(store);
    await store.setRole({ ...AT, userId: maker.id, role: 'admin' });
    const of = async (actorId: number | null) => {
      const terms = { codeHash: unique('code'), expiresAt: NOW + HOUR, maxUses: null, now: NOW };
      await store.createServerInvite({ ...terms, actorId });
      return await store.findInvitation({ codeHash: terms.codeHash, now: NOW });
    };
    const inviter = { username: maker.username, displayName: '' };
    expect(await of(maker.id)).toEqual({ room: null, inviter });
    expect(await of(null)).toEqual({ room: null, inviter: null });
    await store.setRole({ ...AT, userId: maker.id, role: 'member' });
  });

  it.each(['the server', 'a room'] as const)(
    'an invitation to %s with one use lets one person register, and that person alone into its room',
    async (to) => {
      const { store } = subject();
      const maker = await newUser(store);
      const { id: roomId } = await newPrivateRoom(store, maker.id);
      for (const registration of ['invite', 'open'] as const) {
        const terms = { codeHash: unique('code'), expiresAt: NOW + HOUR, maxUses: 1, now: NOW };
        const { codeHash } = terms;
        if (to === 'a room') await store.createInvite({ ...terms, roomId, createdBy: maker.id });
        else await store.createServerInvite({ ...terms, actorId: null });
        await store.setRegistration({ ...AT, registration });
        const made = await Promise.all(
          [unique('one'), unique('two'), unique('three')].map((name) => {
            const names = { username: name, key: name, ...looksOf(name) };
            return store.createUser({ ...names, passwordHash: 'hash', now: NOW, inviteHash: codeHash });
          }),
        );
        await store.setRegistration({ ...AT, registration: 'open' });
        const created = made.flatMap((each) => (each.outcome === 'created' ? [each] : []));
        expect(created).toHaveLength(registration === 'open' ? 3 : 1);
        const [guest, ...others] = created.filter(({ isInvited }) => isInvited);
        assert(guest !== undefined);
        expect(others).toEqual([]);
        if (to === 'the server') continue;
        const enter = { codeHash, userId: guest.user.id, now: NOW };
        expect(await store.acceptInvite(enter)).toEqual({ outcome: 'invite_not_found' });
        const entered = await store.acceptInvite({ ...enter, hasTakenUse: true });
        expect(entered).toMatchObject({ outcome: 'changed' });
      }
    },
  );

  it('a link that set a password ends all others for the same person; a removed account gets none', async () => {
    const { store } = subject();
    const user = await newUser(store);
    const terms = { ...AT, userId: user.id, expiresAt: NOW + DAY };
    const first = unique('code');
    await store.createReset({ ...terms, codeHash: first });
    expect(await store.useReset({ codeHash: first, passwordHash: 'one', now: NOW })).toMatchObject({ user });
    expect(await store.useReset({ codeHash: first, passwordHash: 'two', now: NOW })).toBeUndefined();
    expect((await store.findUser(user.username))?.passwordHash).toBe('one');
    await CHANGES.removed(store, user);
    expect(await store.createReset({ ...terms, codeHash: unique('code') })).toEqual({
      outcome: 'user_not_found',
    });
  });

  it('of 20 at once one is signed in by a link, on record; then, and ten minutes later, it leads nowhere', async () => {
    const { store } = subject();
    const user = await newUser(store);
    const of = { userId: user.id, expiresAt: NOW + 600_000, now: NOW };
    const [codeHash, late] = [unique('code'), unique('code')];
    await store.createSignInLink({ ...of, codeHash });
    expect(await store.findSignInLink({ codeHash, now: NOW })).toEqual({ user, isSuspended: false });
    const use = () => store.useSignInLink({ codeHash, ...newSession(), now: NOW });
    const used = (await Promise.all(Array.from({ length: 20 }, use))).filter((each) => each !== undefined);
    expect(used).toEqual([{ user, sessionId: expect.any(Number) }]);
    const live = await store.liveSessions({ userId: user.id, now: NOW });
    expect(live.map(({ sessionId, userAgent }) => [sessionId, userAgent])).toEqual([
      [used[0]?.sessionId, 'a television'],
    ]);
    expect(await store.findSignInLink({ codeHash, now: NOW })).toBeUndefined();
    await store.createSignInLink({ ...of, codeHash: late });
    const end = { codeHash: late, now: of.expiresAt };
    expect(await store.findSignInLink(end)).toBeUndefined();
    expect(await store.useSignInLink({ ...newSession(), ...end })).toBeUndefined();
    const rows = await store.audit({
      ...{ viewerId: null, scope: { of: 'all', userId: user.id }, limit: 9, now: NOW },
    });
    expect(rows?.map(({ action }) => action)).toEqual([
      ...['sign_in_link_made', 'sign_in_link_used', 'sign_in_link_made'],
    ]);
  });

  it('a suspended person is signed in by no link, also by one that was made since', async () => {
    const { store } = subject();
    const user = await newUser(store);
    await CHANGES.suspended(store, user);
    const codeHash = unique('code');
    await store.createSignInLink({ userId: user.id, codeHash, expiresAt: NOW + HOUR, now: NOW });
    expect(await store.findSignInLink({ codeHash, now: NOW })).toEqual({ user, isSuspended: true });
    expect(await store.useSignInLink({ codeHash, ...newSession(), now: NOW })).toBeUndefined();
    expect(await store.liveSessions({ userId: user.id, now: NOW })).toEqual([]);
  });

  it('a removed account is not resumed, and gets no role', async () => {
    const { store } = subject();
    const user = await newUser(store);
    await CHANGES.removed(store, user);
    const gone = { outcome: 'user_not_found' };
    const of = { ...AT, userId: user.id };
    expect(await store.setSuspended({ ...of, suspended: false, reason: '' })).toEqual(gone);
    expect(await store.setRole({ ...of, role: 'admin' })).toEqual(gone);
    expect(await store.endSessions(of)).toEqual(gone);
  });
};

import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { exchange, logIn } from './sessions.ts';
import {
  type ContractPart,
  DAY,
  HOUR,
  NOW,
  newUser,
  newUserAndRoom,
  SECOND,
  say,
  texts,
  unique,
  wholeRoom,
} from './subject.ts';

const EXPIRES_AT = NOW + 7 * DAY;

export const describePurge: ContractPart = (subject) => {
  describe('purge', () => {
    it('forgets refresh tokens that have expired, and no others', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const [older, newer] = [await logIn(store, user.id), await logIn(store, user.id, EXPIRES_AT + 1)];
      await store.purge({ now: EXPIRES_AT + 1 });
      expect(await exchange(store, older.hash, unique('x'))).toEqual({ outcome: 'invalid' });
      expect(await exchange(store, newer.hash, unique('x'))).toMatchObject({ outcome: 'exchanged' });
    });

    it('keeps an exchanged token for its life, so that its theft is seen', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const { hash, sessionId } = await logIn(store, user.id);
      const successorExpiresAt = EXPIRES_AT + DAY;
      await exchange(store, hash, unique('successor'), { successorExpiresAt });
      await store.purge({ now: EXPIRES_AT });
      expect(await exchange(store, hash, unique('x'), { afterMs: 7 * DAY - SECOND })).toEqual({
        outcome: 'theft',
        sessionId,
      });
    });

    it('keeps a session that was renewed, although its first token has expired', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const { hash } = await logIn(store, user.id);
      const successor = unique('successor');
      await exchange(store, hash, successor, { successorExpiresAt: EXPIRES_AT + 3 * DAY });
      await store.purge({ now: EXPIRES_AT + 3 * DAY });
      expect(await exchange(store, successor, unique('x'))).toMatchObject({ outcome: 'exchanged' });
    });

    it('keeps a revoked session longer than any access token lives: a day past its end', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const { hash, sessionId } = await logIn(store, user.id);
      await store.revokeSession({ refreshHash: hash, now: NOW });
      await store.purge({ now: EXPIRES_AT + DAY });
      expect(await store.sessionsRevokedSince(0)).toContainEqual({ sessionId });
      await store.purge({ now: EXPIRES_AT + DAY + 1 });
      expect(await store.sessionsRevokedSince(0)).not.toContainEqual({ sessionId });
    });

    it('keeps a spent ticket for two hours past its life: a clock that is set back does not revive it', async () => {
      const { store } = subject();
      const ticket = { jti: unique('jti'), expiresAt: NOW };
      await store.spendTicket(ticket);
      await store.purge({ now: NOW + 2 * HOUR });
      expect(await store.spendTicket(ticket)).toBe(false);
      await store.purge({ now: NOW + 2 * HOUR + 1 });
      expect(await store.isTicketSpent(ticket.jti)).toBe(false);
    });

    it('forgets an invitation a day after it has expired or was revoked, and no other', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const invite = async (codeHash: string, expiresAt: number) => {
        const terms = { codeHash, roomId: room.id, createdBy: user.id, expiresAt, maxUses: null, now: NOW };
        const made = await store.createInvite(terms);
        assert(made.outcome === 'created');
        return made.invite.id;
      };
      const [expired, revoked, live] = [unique('code'), unique('code'), unique('code')];
      await invite(expired, NOW + HOUR);
      const inviteId = await invite(revoked, EXPIRES_AT);
      await invite(live, EXPIRES_AT);
      await store.revokeInvite({ roomId: room.id, inviteId, actorId: user.id, now: NOW });
      const now = NOW + DAY + HOUR + 1;
      await store.purge({ now });
      // A code exists once, so it can be used again when its invitation is gone.
      await invite(expired, EXPIRES_AT);
      await invite(revoked, EXPIRES_AT);
      expect(await store.findInvitation({ codeHash: live, now })).toMatchObject({ room: { id: room.id } });
      expect(await store.liveInvites({ roomId: room.id, now })).toHaveLength(3);
    });

    it('deletes a room for good 30 days after it was deleted, in pieces, with all that belongs to it, and no other', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const { user: other, room: kept } = await newUserAndRoom(store);
      const [roomId, then] = [room.id, NOW + 1];
      await store.joinRoom({ roomId, userId: other.id, now: NOW });
      await say(store, { roomId, userId: user.id }, texts(250));
      await say(store, { roomId: kept.id, userId: other.id }, texts(3));
      const [first] = await wholeRoom(store, roomId);
      assert(first);
      const target = { roomId, messageId: first.id, actorId: other.id, now: NOW };
      await store.react({ ...target, emoji: '🦊', on: true });
      await store.save({ ...target, on: true });
      await store.deleteRoom({ roomId, actorId: user.id, now: then });
      await store.purge({ now: then + 30 * DAY });
      expect(await store.deletedRooms({ actorId: null, now: then + 30 * DAY })).toMatchObject([
        { id: roomId, members: 2 },
      ]);
      await store.purge({ now: then + 30 * DAY + 1 });
      expect(await store.findRoom(roomId)).toBeUndefined();
      expect(await wholeRoom(store, roomId)).toEqual([]);
      expect((await store.saved({ userId: other.id, limit: 9, now: NOW })).bookmarks).toEqual([]);
      // What their logs said of it is gone: a device that was away reads everything again.
      const log = await store.userLog({ userId: other.id, after: 0, limit: 99 });
      expect(log?.floor).toBeGreaterThan(0);
      expect((await wholeRoom(store, kept.id)).map(({ content }) => content)).toEqual(texts(3));
      const restore = {
        roomId,
        actorId: null,
        now: NOW,
        names: { name: 'x', key: 'x', looks: [], isDisguised: false },
      };
      expect(await store.restoreRoom(restore)).toEqual({ outcome: 'room_not_found' });
    });

    it('forgets after 30 days what was removed from the inbox and from the bookmarks; the log then starts above it', async () => {
      const { store } = subject();
      const { user: owner, room } = await newUserAndRoom(store);
      const { id: userId } = await newUser(store);
      const roomId = room.id;
      await store.joinRoom({ roomId, userId, now: NOW });
      const said = await say(store, { roomId, userId: owner.id }, texts(3));
      const [gone, kept, later] = said.map(({ id: messageId, seq }) => ({ messageId, seq }));
      assert(gone && kept && later);
      const notify = (change: object) =>
        store.notify({
          ...{ name: unique('consumer'), roomId, from: 0, to: null, now: NOW },
          ...{ inbox: [], notices: [], threads: [], withdrawn: [], ...change },
        });
      const save = (of: { messageId: number }, on: boolean, now = NOW) =>
        store.save({ roomId, messageId: of.messageId, actorId: userId, now, on, note: '' });
      await notify({
        inbox: [gone, kept].map((of) => ({ userId, ...of, threadId: null, reason: 'mention' })),
      });
      for (const of of [gone, kept, later]) await save(of, true);
      await notify({ withdrawn: [{ messageId: gone.messageId }] });
      await save(gone, false);
      await save(later, false, NOW + DAY);
      const log = () => store.userLog({ userId, after: 0, limit: 99 });
      const rows = async () => {
        const { inbox, saved } = await log();
        return [inbox, saved].map((own) => own.map(({ messageId, removed }) => [messageId, removed]));
      };
      await store.purge({ now: NOW + 30 * DAY });
      const before = await log();
      expect(before.floor).toBe(0);
      expect(await rows()).toEqual([
        [
          [kept.messageId, false],
          [gone.messageId, true],
        ],
        [
          [kept.messageId, false],
          [gone.messageId, true],
          [later.messageId, true],
        ],
      ]);
      await store.purge({ now: NOW + 30 * DAY + 1 });
      expect(await rows()).toEqual([
        [[kept.messageId, false]],
        [
          [kept.messageId, false],
          [later.messageId, true],
        ],
      ]);
      const [, undone] = before.saved;
      expect(await log()).toMatchObject({ seq: before.seq, floor: undone?.userSeq, members: before.members });
      expect((await store.userLog({ userId: owner.id, after: 0, limit: 9 })).floor).toBe(0);
      // It may come again.
      await save(gone, true);
      expect((await rows())[1]).toContainEqual([gone.messageId, false]);
    });

    it('forgets all of them, in any number', async () => {
      const { store } = subject();
      const jtis = Array.from({ length: 4500 }, () => unique('jti'));
      // Not all at once: who waits for a connection to PostgreSQL for too long is refused.
      for (let at = 0; at < jtis.length; at += 500)
        await Promise.all(jtis.slice(at, at + 500).map((jti) => store.spendTicket({ jti, expiresAt: NOW })));
      await store.purge({ now: NOW + DAY });
      const spent = await Promise.all(jtis.map((jti) => store.isTicketSpent(jti)));
      expect(spent.filter(Boolean)).toHaveLength(0);
    });

    it('touches no user, no room and no message', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      await say(store, { roomId: room.id, userId: user.id }, texts(3));
      await store.purge({ now: Date.UTC(2100, 0) });
      expect(await store.findUser(user.username)).toMatchObject(user);
      expect(await store.findRoom(room.id)).toEqual({ ...room, seq: 3, number: 3 });
      expect(await wholeRoom(store, room.id)).toHaveLength(3);
    });
  });
};

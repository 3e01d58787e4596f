import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { NotifierWorld } from './testing/world.ts';

const LONG = { timeout: 20_000 };

let opened: TemporaryStore;
let world: NotifierWorld;
beforeEach(async () => {
  opened = await openTemporaryStore();
  world = new NotifierWorld(opened.store);
});
afterEach(async () => {
  await world.stop();
  await opened.dispose();
});

/** A room of three, which the notifier has caught up with. */
async function furnished() {
  const { ann, bo, cleo } = await world.newUsers('ann', 'bo', 'cleo');
  const roomId = await world.newRoom(ann, bo, cleo);
  const at = (user: { username: string }) => `@"${user.username}"`;
  return { ann, bo, cleo, roomId, at };
}

describe('the inbox', () => {
  it('has mentions, replies and calls of the whole room, each once, whatever is restarted', async () => {
    const { ann, bo, cleo, roomId, at } = await furnished();
    const plain = await world.post(roomId, bo, 'a plain text');
    await world.post(roomId, ann, `look, ${at(bo)}`);
    await world.post(roomId, cleo, 'yes', plain);
    await world.caughtUp(roomId);
    await world.restart();
    await world.post(roomId, ann, '@room lunch');
    await world.caughtUp(roomId);
    await world.restart();
    expect(await world.listed(bo)).toEqual(['room: @room lunch', 'reply: yes', `mention: look, ${at(bo)}`]);
    expect(await world.listed(cleo)).toEqual(['room: @room lunch']);
    expect(await world.listed(ann)).toEqual([]);
  });

  it('loses what was deleted, and whom an edit takes out; an edit notifies those it adds, within 24 hours', async () => {
    const { ann, bo, cleo, roomId, at } = await furnished();
    const gone = await world.post(roomId, ann, `one ${at(bo)}`);
    const changed = await world.post(roomId, ann, `two ${at(bo)}`);
    await world.caughtUp(roomId);
    const of = (messageId: number) => ({ roomId, messageId, userId: ann.id });
    await world.changes.delete(of(gone));
    await world.changes.edit({ ...of(changed), content: `two ${at(cleo)}`, baseRevision: 0 });
    await world.caughtUp(roomId);
    expect([await world.listed(bo), await world.listed(cleo)]).toEqual([[], [`mention: two ${at(cleo)}`]]);
    expect(world.shown.map(({ userId }) => userId)).toEqual([bo.id, bo.id, cleo.id]);
    world.now += 25 * 3_600_000;
    await world.changes.edit({ ...of(changed), content: `three ${at(bo)}`, baseRevision: 1 });
    await world.caughtUp(roomId);
    expect([await world.listed(bo), await world.listed(cleo)]).toEqual([[], []]);
  });

  it('a change long after an edit notifies nobody once more', async () => {
    const { ann, bo, roomId, at } = await furnished();
    const messageId = await world.post(roomId, ann, 'one');
    const of = { roomId, messageId, userId: ann.id };
    await world.changes.edit({ ...of, content: `one ${at(bo)}`, baseRevision: 0 });
    await world.caughtUp(roomId);
    expect(world.shown).toHaveLength(1);
    world.now += 8 * 24 * 3_600_000;
    await world.store.purge({ now: world.now });
    await world.changes.pin(of, true);
    await world.caughtUp(roomId);
    expect(world.shown).toHaveLength(1);
  });

  it('an edit before the notifier comes is no edit to it', async () => {
    const { ann, bo, cleo, roomId, at } = await furnished();
    await world.consumer.stop();
    const messageId = await world.post(roomId, ann, `one ${at(bo)}`);
    await world.changes.edit({ roomId, messageId, userId: ann.id, content: at(cleo), baseRevision: 0 });
    await world.restart();
    await world.caughtUp(roomId);
    expect([await world.listed(bo), await world.listed(cleo)]).toEqual([[], [`mention: ${at(cleo)}`]]);
  });

  it('calls of a room with more members than one command writes reach each of them once', async () => {
    const { ann, roomId } = await furnished();
    const names = Array.from({ length: 410 }, (_, index) => `member ${index}`);
    const members = Object.values(await world.newUsers(...names));
    for (const { id: userId } of members)
      await world.store.joinRoom({ roomId, userId, now: world.now, isSilent: true });
    const { store } = world;
    const { notify } = store;
    const sizes: number[] = [];
    store.notify = (step) => {
      sizes.push(step.inbox.length + step.notices.length);
      return notify(step);
    };
    await world.post(roomId, ann, '@room all of you');
    await world.caughtUp(roomId);
    for (const member of members) expect(await world.listed(member)).toEqual(['room: @room all of you']);
    expect(world.shown).toHaveLength(412);
    // A post waits behind one command at most.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  });

  it(
    'a call that was written in part is withdrawn from all when it is deleted, or edited, before the next try',
    LONG,
    async () => {
      const { ann, roomId } = await furnished();
      const members = Object.values(
        await world.newUsers(...Array.from({ length: 150 }, (_, index) => `member ${index}`)),
      );
      for (const { id: userId } of members)
        await world.store.joinRoom({ roomId, userId, now: world.now, isSilent: true });
      const { store } = world;
      const { notify } = store;
      const listed = async () =>
        (await Promise.all(members.map((member) => world.listed(member)))).filter((list) => list.length > 0);
      const end = {
        deleted: (messageId: number) => world.changes.delete({ roomId, messageId, userId: ann.id }),
        edited: (messageId: number) =>
          world.changes.edit({ roomId, messageId, userId: ann.id, content: 'nobody', baseRevision: 0 }),
      };
      for (const act of Object.values(end)) {
        let isDone = false;
        let written = 0;
        store.notify = (step) => {
          if (isDone) return notify(step);
          return written++ === 0 ? notify(step) : Promise.reject(new Error('the database is away'));
        };
        const messageId = await world.post(roomId, ann, '@room all of you');
        await vi.waitFor(() => expect(written).toBeGreaterThan(1), { timeout: 10_000 });
        expect((await listed()).length).toBeGreaterThan(0);
        await act(messageId);
        isDone = true;
        await world.caughtUp(roomId);
        expect(await listed()).toEqual([]);
      }
    },
  );
});

describe('the threads of a room', () => {
  /** A thread of Ann's with replies of hers; which of them notified Bo, and how many threads he has. */
  async function withLevel(threads: 'all' | 'none') {
    const { ann, bo, roomId, at } = await furnished();
    await world.store.setPrefs({ roomId, userId: bo.id, threads });
    const root = await world.post(roomId, ann, 'a root');
    const reply = (content: string) => world.reply(roomId, ann, content, root);
    const heard = () =>
      world.shown.flatMap(({ userId, notice }) =>
        userId === bo.id ? [`${notice.reason}: ${notice.body}`] : [],
      );
    const followed = async () =>
      (await world.store.followedThreads({ userId: bo.id, now: world.now })).map(({ unread }) => unread);
    return { bo, roomId, root, reply, heard, followed, at };
  }

  it('a member whose level is all follows each thread from its next reply on, unless they leave it', async () => {
    const { bo, roomId, root, reply, heard, followed, at } = await withLevel('all');
    await reply('one');
    await world.caughtUp(roomId);
    expect(heard()).toEqual(['thread: one']);
    expect(await followed()).toEqual([1]);
    const of = { roomId, threadId: root, userId: bo.id, now: world.now };
    await world.store.followThread({ ...of, following: false });
    await reply('two');
    await reply(`three ${at(bo)}`);
    await world.caughtUp(roomId);
    expect(heard()).toEqual(['thread: one', `mention: three @${bo.username}`]);
    expect(await followed()).toEqual([]);
  });

  it('a member whose level is none follows only the threads they ask for; mentions still reach them', async () => {
    const { bo, roomId, root, reply, heard, followed, at } = await withLevel('none');
    await reply('one');
    await reply(`two ${at(bo)}`);
    await world.caughtUp(roomId);
    expect(heard()).toEqual([`mention: two @${bo.username}`]);
    expect(await followed()).toEqual([]);
    const of = { roomId, threadId: root, userId: bo.id, now: world.now };
    await world.store.followThread({ ...of, following: true });
    await reply('three');
    await world.caughtUp(roomId);
    expect(heard().at(-1)).toBe('thread: three');
    expect(await followed()).toEqual([1]);
  });
});

describe('a push', () => {
  it('goes out at once to somebody who is away, and names where and from whom', async () => {
    const { ann, bo, roomId, at } = await furnished();
    const messageId = await world.post(roomId, ann, `look ${at(bo)}`);
    await expect
      .poll(() => world.pushed, LONG)
      .toMatchObject([
        { userId: bo.id, url: `/rooms/${roomId}/m/${messageId}`, seq: 1, body: `look @${bo.username}` },
      ]);
    expect(world.pushed[0]?.title).toContain(ann.username);
    await expect.poll(() => world.why(roomId, messageId, bo), LONG).toBe('mention pushed');
  });

  it('waits 15 seconds for somebody who is online, and is not sent when the message was read by then', async () => {
    const { ann, bo, cleo, roomId } = await furnished();
    world.online.add(bo.id).add(cleo.id);
    const messageId = await world.post(roomId, ann, '@room look');
    await world.caughtUp(roomId);
    expect(await world.why(roomId, messageId, bo)).toBe('room waited');
    await world.store.markRead([{ userId: bo.id, roomId, seq: 3, known: 0, unread: false }]);
    const seq = (await world.store.message({ roomId, messageId }))?.seq ?? 0;
    await world.store.markRead([{ userId: bo.id, roomId, seq, known: 0, unread: false }]);
    world.now += 15_000;
    world.waiting.expect(0);
    await expect.poll(() => world.why(roomId, messageId, cleo), LONG).toBe('room pushed');
    expect(await world.why(roomId, messageId, bo)).toBe('room read_first');
    expect(world.pushed.map(({ userId }) => userId)).toEqual([cleo.id]);
  });

  it('is decided again when it is due: a message that was deleted is not pushed', async () => {
    const { ann, bo, roomId, at } = await furnished();
    world.online.add(bo.id);
    const messageId = await world.post(roomId, ann, at(bo));
    await world.caughtUp(roomId);
    await world.changes.delete({ roomId, messageId, userId: ann.id });
    world.now += 15_000;
    world.waiting.expect(0);
    await expect.poll(() => world.why(roomId, messageId, bo), LONG).toMatch(/off/);
    expect(world.pushed).toEqual([]);
  });

  it.each([
    [false, [], 'mention off no_device'],
    [true, [], 'mention shown'],
    [false, ['failed'], 'mention off failed'],
    [false, ['later'], 'mention waited'],
    [false, ['later', 'delivered'], 'mention pushed'],
  ] as const)('online: %s, outcomes %j: %s', async (isOnline, outcomes, expected) => {
    const { ann, bo, roomId, at } = await furnished();
    let tries = 0;
    world.respond = () => {
      tries++;
      return [...outcomes];
    };
    if (isOnline) world.online.add(bo.id);
    const messageId = await world.post(roomId, ann, at(bo));
    await world.caughtUp(roomId);
    world.now += 15_000;
    world.waiting.expect(0);
    await expect.poll(() => tries, LONG).toBeGreaterThan(0);
    await expect.poll(() => world.why(roomId, messageId, bo), LONG).toBe(expected);
  });

  it('that a push service takes later is sent again', async () => {
    const { ann, bo, roomId, at } = await furnished();
    const outcomes: ('later' | 'delivered')[] = ['later', 'delivered'];
    world.respond = () => outcomes.splice(0, 1);
    const messageId = await world.post(roomId, ann, at(bo));
    await expect.poll(() => outcomes.length, LONG).toBe(1);
    await expect
      .poll(async () => {
        world.now += 10_000;
        world.waiting.expect(0);
        return await world.why(roomId, messageId, bo);
      }, LONG)
      .toBe('mention pushed');
  });

  it('waits for no other person; to one person, one is sent at a time', async () => {
    const { ann, bo, cleo, roomId, at } = await furnished();
    const asked: number[] = [];
    let respond = (_: 'delivered'[]) => {};
    const responded = new Promise<'delivered'[]>((resolve) => {
      respond = resolve;
    });
    world.respond = (userId) => {
      asked.push(userId);
      return userId === bo.id ? responded : ['delivered'];
    };
    const first = await world.post(roomId, ann, at(bo));
    await expect.poll(() => asked, LONG).toEqual([bo.id]);
    const second = await world.post(roomId, ann, `${at(bo)} ${at(cleo)}`);
    await expect.poll(() => world.why(roomId, second, cleo), LONG).toBe('mention pushed');
    expect(asked).toEqual([bo.id, cleo.id]);
    expect(await world.why(roomId, first, bo)).toBe('mention waited');
    respond(['delivered']);
    await expect.poll(() => world.why(roomId, second, bo), LONG).toBe('mention pushed');
    expect(await world.why(roomId, first, bo)).toBe('mention pushed');
    expect(asked).toEqual([bo.id, cleo.id, bo.id]);
  });

  it('of all texts of a room comes once a minute; each is shown', async () => {
    const { ann, bo, roomId } = await furnished();
    await world.store.setPrefs({ roomId, userId: bo.id, notify: 'all' });
    const [first, second] = [await world.post(roomId, ann, 'one'), await world.post(roomId, ann, 'two')];
    await world.caughtUp(roomId);
    expect(world.shown.map(({ notice }) => notice.body)).toEqual(['one', 'two']);
    await expect.poll(() => world.why(roomId, first, bo), LONG).toBe('all pushed');
    expect(await world.why(roomId, second, bo)).toBe('all shown coalesced');
    expect(world.pushed).toHaveLength(1);
    expect(await world.listed(bo)).toEqual([]);
  });

  it('of a reply names its thread, whose mark says whether it was read', async () => {
    const { ann, bo, roomId, at } = await furnished();
    const root = await world.post(roomId, ann, 'a root');
    await world.reply(roomId, ann, at(bo), root);
    await expect.poll(() => world.pushed, LONG).toMatchObject([{ seq: 2, thread_id: root }]);
  });

  it('has no text where the user hides it', async () => {
    const { ann, bo, roomId, at } = await furnished();
    await world.store.changeProfile({ userId: bo.id, settings: { notifications: { hide_text: true } } });
    await world.post(roomId, ann, `secret ${at(bo)}`);
    await expect.poll(() => world.pushed.map(({ body }) => body), LONG).toEqual(['']);
    expect(world.shown.map(({ notice }) => notice.body)).toEqual(['']);
  });
});

describe('why a message notified nobody, without a row', () => {
  it('its own author, somebody without a reason, and a message that the notifier has not reached', async () => {
    const { ann, bo, roomId, at } = await furnished();
    const plain = await world.post(roomId, ann, 'plain');
    await world.caughtUp(roomId);
    expect(await world.why(roomId, plain, ann)).toBe('none off own');
    expect(await world.why(roomId, plain, bo)).toBe('none off no_reason');
    await world.consumer.stop();
    const mention = await world.post(roomId, ann, at(bo));
    expect(await world.why(roomId, mention, bo)).toBe('mention waited');
  });
});

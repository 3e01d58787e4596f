import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryBus } from '../data/bus/memory.ts';
import { ThreadStage } from '../data/storage/contract/thread-stage.ts';
import { READ_NAMES, READS } from '../data/storage/queries/queries.ts';
import type { Steps } from '../data/storage/queries/steps.ts';
import { databaseFile } from '../data/storage/sqlite/data-dir.ts';
import { openForReading } from '../data/storage/sqlite/database.ts';
import type { Sqlite } from '../data/storage/sqlite/driver/driver.ts';
import { textOf } from '../data/storage/sqlite/statement-text.ts';
import { openTemporaryStore, type TemporaryStore } from '../data/storage/sqlite/temporary-store.ts';
import type { Store } from '../data/storage/store.ts';
import { Changes } from './messages/changes.ts';
import { History } from './messages/history.ts';
import { Threads } from './messages/threads.ts';
import { Inbox } from './notifications/inbox.ts';
import { Presence } from './presence/presence.ts';
import { Invites } from './rooms/invites.ts';
import { Members } from './rooms/members.ts';
import { Rooms } from './rooms/rooms.ts';

let opened: TemporaryStore;
let sqlite: Sqlite;
beforeAll(async () => {
  opened = await openTemporaryStore();
  sqlite = openForReading(databaseFile(opened.dataDir));
});
afterAll(async () => {
  sqlite?.close();
  await opened?.dispose();
});

/** The reads of a store, which run here. `reads` and `statements`: what was asked for. */
function recordingStore() {
  const reads: string[] = [];
  const statements: string[] = [];
  const read = (name: (typeof READ_NAMES)[number]) => async (args: never) => {
    reads.push(name);
    const steps = (READS[name] as (args: never) => Steps<unknown>)(args);
    let step = steps.next();
    while (!step.done) {
      const text = textOf(step.value).replaceAll(/\s+/g, ' ');
      statements.push(text);
      step = steps.next(sqlite.prepare(text).all(...step.value.values));
    }
    return step.value;
  };
  const store = Object.fromEntries(READ_NAMES.map((name) => [name, read(name)])) as unknown as Store;
  return { store, reads, statements };
}

interface Asked {
  roomId: number;
  messageId: number;
  userId: number;
}

/** A private room with a thread; `of` is a message of it. Its owner may read it, the others may not. */
async function privateRoom() {
  const stage = await ThreadStage.start(opened.store, 4);
  const [owner = 0, stranger = 0, admin = 0, removed = 0] = stage.users.map(({ id }) => id);
  const { roomId, store } = stage;
  await store.setRole({ actorId: null, userId: admin, role: 'admin', now: 0 });
  await store.setMember({ roomId, actorId: owner, userId: removed, role: undefined, now: 0 });
  await store.removeMember({ roomId, actorId: owner, userId: removed, now: 0 });
  await store.changeRoom({ roomId, actorId: owner, patch: { kind: 'private' }, now: 0 });
  const root = await stage.say();
  await stage.say(root.id);
  return { roomId, messageId: root.id, owner, askers: { stranger, admin, removed } };
}

function servicesOn(store: Store) {
  const parts = { store, bus: createMemoryBus(), epoch: '' };
  const presence = new Presence();
  return {
    history: new History(store, ''),
    threads: new Threads(parts),
    changes: new Changes(parts),
    inbox: new Inbox({ store, isOnline: () => false }),
    members: new Members({ ...parts, presence }),
    invites: new Invites({ ...parts, attempts: undefined }),
    rooms: new Rooms({ ...parts, presence, roomsPerDay: 0, dmsPerDay: 0 }),
  };
}

type Read = (services: ReturnType<typeof servicesOn>, of: Asked) => Promise<unknown>;

const limit = 50;
const READ_ROUTES: [what: string, read: Read][] = [
  ['a page of texts', ({ history }, of) => history.page({ ...of, limit }, of.userId)],
  ['a page of the flow', ({ history }, of) => history.flow({ ...of, limit }, of.userId)],
  ['a page before', ({ history }, of) => history.flow({ ...of, limit, beforeId: 9 }, of.userId)],
  ['a page after', ({ history }, of) => history.flow({ ...of, limit, afterId: 9 }, of.userId)],
  [
    'around a message',
    ({ history }, of) => history.around({ ...of, limit, place: { id: of.messageId } }, of.userId),
  ],
  ['around a time', ({ history }, of) => history.around({ ...of, limit, place: { time: 0 } }, of.userId)],
  ['threads', ({ threads }, of) => threads.list({ ...of, limit }, of.userId)],
  ['a thread', ({ threads }, of) => threads.page({ ...of, threadId: of.messageId, limit }, of.userId)],
  ['a message', ({ changes }, of) => changes.get(of)],
  ['earlier texts', ({ changes }, of) => changes.revisions(of)],
  ['reactions', ({ changes }, of) => changes.reactions(of)],
  ['pins', ({ changes }, of) => changes.pins(of)],
  ['why it notified', ({ inbox }, of) => inbox.why(of)],
  ['members', ({ members }, of) => members.list({ ...of, limit })],
];

describe('what one may not see does not exist', () => {
  it.each(READ_ROUTES)(
    '%s: of a room that is hidden the database reads what it reads of one that is not there',
    async (_, read) => {
      const { roomId, messageId, owner, askers } = await privateRoom();
      const ask = async (of: Asked) => {
        const { store, ...asked } = recordingStore();
        await expect(read(servicesOn(store), of)).rejects.toMatchObject({ code: 'room_not_found' });
        return asked;
      };
      const absent = await ask({ roomId: 1_000_000, messageId, userId: askers.stranger });
      for (const userId of Object.values(askers))
        expect(await ask({ roomId, messageId, userId })).toEqual(absent);
      await read(servicesOn(recordingStore().store), { roomId, messageId, userId: owner });
    },
  );

  it.each([
    ['a room', ({ rooms }, of) => rooms.get(of)],
    ['its invitations', ({ invites }, of) => invites.list(of)],
  ] satisfies [string, Read][])('%s, too', async (_, read) => {
    const { roomId, messageId, askers } = await privateRoom();
    const asked = [];
    for (const of of [{ roomId }, { roomId: 1_000_000 }]) {
      const { store, statements } = recordingStore();
      const reading = read(servicesOn(store), { ...of, messageId, userId: askers.stranger });
      await expect(reading).rejects.toMatchObject({ code: 'room_not_found' });
      asked.push(statements);
    }
    expect(asked[0]).toEqual(asked[1]);
  });
});

it('a page and the right to it are one read, of one snapshot: no page is of after a removal', async () => {
  const { roomId, messageId, owner } = await privateRoom();
  for (const [what, read] of READ_ROUTES.slice(0, 7)) {
    const { store, reads } = recordingStore();
    await read(servicesOn(store), { roomId, messageId, userId: owner });
    expect(reads, what).toHaveLength(1);
  }
});

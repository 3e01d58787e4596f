import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BusEvent } from '../../data/bus/bus.ts';
import { newUserAndRoom, say } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { HeadPoll } from './head-poll.ts';
import type { ServedLogs } from './served-logs.ts';

let opened: TemporaryStore;
let epoch: string;
beforeAll(async () => {
  opened = await openTemporaryStore();
  ({ epoch } = await opened.store.heads({ roomIds: [], userIds: [] }));
});
afterAll(async () => await opened?.dispose());

/** A poll that begins at once, as at a doubt, over logs that are delivered up to these numbers. */
async function poll(served: ServedLogs, { knownEpoch = epoch, revoked = [] as number[] } = {}) {
  const heard: BusEvent[] = [];
  let doubt = () => {};
  let isDone = false;
  const fatal = await new Promise<Error | null>((resolve) => {
    const headPoll = new HeadPoll({
      store: opened.store,
      bus: {
        isInDoubt: false,
        onDoubt: (listener) => {
          doubt = listener;
          return () => {};
        },
      },
      hub: { servedLogs: () => served, hear: (event) => heard.push(event) },
      sessions: {
        catchUp: async () => {
          // The second poll begins when the first has ended.
          if (isDone) resolve(null);
          isDone = true;
          return revoked;
        },
      },
      epoch: knownEpoch,
      onLost: resolve,
      onFatal: resolve,
    });
    doubt();
    doubt();
    afterAll(() => headPoll.stop());
  });
  return { heard, fatal };
}

const at = (head: number) => ({ lowest: head, highest: head });
const room = (id: number, head: number) => ({ rooms: new Map([[id, at(head)]]), users: new Map() });

it('a log that is ahead of what was delivered is announced; others are not', async () => {
  const { user, room: first } = await newUserAndRoom(opened.store);
  const { room: second } = await newUserAndRoom(opened.store);
  await say(opened.store, { roomId: first.id, userId: user.id }, ['one', 'two']);
  const { seq } = await opened.store.userLog({ userId: user.id, after: 0, limit: 1 });
  const { heard, fatal } = await poll({
    rooms: new Map([
      [first.id, { lowest: first.seq, highest: first.seq + 2 }],
      [second.id, at(second.seq)],
    ]),
    users: new Map([[user.id, at(seq - 1)]]),
  });
  expect(fatal).toBeNull();
  expect(heard).toContainEqual({ type: 'head', roomId: first.id, seq: first.seq + 2 });
  expect(heard).toContainEqual({ type: 'user_log', userId: user.id, seq });
  expect(heard.filter((event) => 'roomId' in event && event.roomId === second.id)).toEqual([]);
});

it('sessions that were ended elsewhere are ended here', async () => {
  const { heard } = await poll({ rooms: new Map(), users: new Map() }, { revoked: [7] });
  expect(heard).toContainEqual({ type: 'session_revoked', sessionId: 7 });
});

it('a log that is behind what was delivered: the database has lost commits', async () => {
  const { room: own } = await newUserAndRoom(opened.store);
  const { fatal } = await poll(room(own.id, own.seq + 3));
  expect(fatal?.message).toBe(
    `the database has lost changes ${own.seq + 1} to ${own.seq + 3} of log ${own.id}`,
  );
});

it('another epoch ends the process', async () => {
  const { room: own } = await newUserAndRoom(opened.store);
  const { fatal } = await poll(room(own.id, own.seq), { knownEpoch: 'before' });
  expect(fatal?.message).toBe('the database has begun a new epoch');
});

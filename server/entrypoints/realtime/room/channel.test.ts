import { expect, it } from 'vitest';
import { createMemoryBus } from '../../../data/bus/memory.ts';
import type { HeadsQuery, MessageRow } from '../../../data/storage/store.ts';
import { Presence } from '../../../features/presence/presence.ts';
import { Typing } from '../../../features/presence/typing.ts';
import { Outlet } from '../fanout/outlet.ts';
import { Channel } from './channel.ts';

const ROOM = 1;
const EPOCH = 'this one';
const DELIVERED = 5;
const COMMITTED = 8;

const rows = Array.from({ length: COMMITTED }, (_, index): MessageRow => {
  const seq = index + 1;
  const at = { id: seq, roomId: ROOM, seq, changedSeq: seq, createdAt: seq };
  return { ...at, userId: 1, username: 'ann', cid: null, content: `${seq}`, notice: null, facts: null };
});

/** A channel that has delivered less than other processes have committed. */
function channelBehind({ processes = 2, isDatabaseAway = false } = {}) {
  const reads = { heads: 0 };
  const bus = createMemoryBus();
  const channel = new Channel(ROOM, {
    store: {
      messagesAfter: async ({ seq = 0, limit }) => rows.slice(seq, seq + limit),
      async heads({ roomIds }: HeadsQuery) {
        reads.heads++;
        if (isDatabaseAway) throw new Error('away');
        return { epoch: EPOCH, rooms: roomIds.map((roomId) => ({ roomId, seq: COMMITTED })), users: [] };
      },
    },
    presence: new Presence(),
    typing: new Typing(bus),
    outlet: new Outlet(),
    epoch: EPOCH,
    bus: { crossingMs: processes > 1 ? 60_000 : 0, crossed() {} },
  });
  channel.startAt({ seq: DELIVERED, archivedAt: null, kind: 'public' });
  return { channel, reads };
}

it('events that a client has from another process are delivered here before the client is', async () => {
  const { channel, reads } = channelBehind();
  await channel.reach({ since: COMMITTED - 1, epoch: EPOCH });
  expect(channel.head).toBe(COMMITTED);
  expect(reads.heads).toBe(1);
});

it('a client that claims more than the room has causes one read, and no wait', async () => {
  const { channel, reads } = channelBehind();
  const claims = [COMMITTED + 1, Number.MAX_SAFE_INTEGER].map((since) =>
    channel.reach({ since, epoch: EPOCH }),
  );
  await Promise.all(claims);
  expect(reads.heads).toBe(1);
});

it('a client of another epoch, or one that this process is not behind, causes no read', async () => {
  const { channel, reads } = channelBehind();
  await channel.reach({ since: COMMITTED, epoch: 'another' });
  await channel.reach({ since: COMMITTED, epoch: undefined });
  await channel.reach({ since: DELIVERED, epoch: EPOCH });
  expect(reads.heads).toBe(0);
});

it('a process that runs alone reads nothing', async () => {
  const { channel, reads } = channelBehind({ processes: 1 });
  await channel.reach({ since: COMMITTED, epoch: EPOCH });
  expect(reads.heads).toBe(0);
});

it('while the database is away, a client that claims more than this process has is not kept waiting', async () => {
  const { channel, reads } = channelBehind({ isDatabaseAway: true });
  await channel.reach({ since: COMMITTED, epoch: EPOCH });
  expect(reads.heads).toBe(1);
  expect(channel.head).toBe(DELIVERED);
});

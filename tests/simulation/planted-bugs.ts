/** Bugs that can be put into the running code, to see whether the simulation finds them. */
import { Emitter } from '../../client/emitter.ts';
import { Outbox } from '../../client/outbox/outbox.ts';
import type { RoomAction } from '../../client/room/room-reducer.ts';
import { RoomSync } from '../../client/room/room-sync.ts';
import { Appender } from '../../server/data/storage/sqlite/appender.ts';
import type {
  AppendOutcome,
  HistoryRows,
  MessageRow,
  NewMessage,
  Store,
} from '../../server/data/storage/store.ts';
import { Line } from '../../server/entrypoints/realtime/line/session/line.ts';
import { Channel } from '../../server/entrypoints/realtime/room/channel.ts';
import { Feed } from '../../server/entrypoints/realtime/room/feed.ts';
import { Recent } from '../../server/entrypoints/realtime/room/recent.ts';
import { wireInSight, wireOpen } from '../../server/entrypoints/realtime/wire/v2.ts';
import { Disk } from './disk.ts';
import { CHANGE_BUGS } from './planted-change-bugs.ts';
import { CLUSTER_BUGS } from './planted-cluster-bugs.ts';
import { ENCOUNTER_BUGS } from './planted-encounter-bugs.ts';
import { RIGHTS_BUGS } from './planted-rights-bugs.ts';
import type { Patch, PlantedBug } from './planting.ts';

/** Returns the outcome of the commit before the commit. */
function ackBeforeCommit(store: Store, disk: Disk): Store {
  let waiting: NewMessage[] = [];
  const foresee = (message: NewMessage): AppendOutcome => {
    const copy = disk.copy();
    for (const other of waiting) copy.write('append', other);
    const outcome = copy.write('append', message);
    copy.close();
    return outcome;
  };
  return {
    ...store,
    async append(message) {
      const outcome = foresee(message);
      waiting.push(message);
      const done = () => {
        waiting = waiting.filter((other) => other !== message);
      };
      store.append(message).then(done, done);
      return outcome;
    },
  };
}

/** Withholds from listeners the events for which `isKept` returns true. */
function keepFromListeners(patch: Patch, isKept: (emitter: object, name: PropertyKey) => boolean): void {
  patch(
    Emitter.prototype,
    'emit',
    (emit) =>
      function (this: Emitter<Record<string, unknown>>, name, value) {
        if (!isKept(this, name)) emit.call(this, name, value);
      },
  );
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  { name: 'an ack before the commit', shows: /not durable/, store: ackBeforeCommit },
  {
    name: 'a resume from memory that skips one event',
    from: 11,
    shows: /comes next|after \d|is missing|shows/,
    plant: (patch) =>
      patch(
        Recent.prototype,
        'after',
        (after) =>
          function (this: Recent, seq) {
            return after.call(this, seq)?.slice(1) ?? null;
          },
      ),
  },
  {
    name: 'a resume from the database that skips one event',
    from: 11,
    shows: /comes next|after \d|is missing|shows/,
    store: (store) => ({
      ...store,
      async messagesAfter(query) {
        const rows = await store.messagesAfter(query);
        return rows.slice(query.seq > 0 && rows.length > 1 ? 1 : 0);
      },
    }),
  },
  {
    name: 'a live message after superseded numbers that does not say so',
    from: 15,
    shows: /comes next/,
    plant: (patch) => {
      for (const wire of [wireOpen, wireInSight])
        patch(
          wire,
          'message',
          () =>
            ({ json }) =>
              json,
        );
    },
  },
  {
    name: 'a cid that is not recognised as a repeat',
    from: 11,
    shows: /twice|acked and lost|shows/,
    plant: (patch) => {
      // Each is stored under a cid of its own, and read under the one that it came with.
      let count = 0;
      patch(
        Appender.prototype,
        'append',
        (append) =>
          function (this: Appender, message) {
            return append.call(this, { ...message, cid: message.cid && `${message.cid}#${count++}` });
          },
      );
      patch(
        Disk.prototype,
        'read',
        (read) =>
          function (this: Disk, name: never, args: never) {
            const result: unknown = read.call(this, name, args);
            const rows = name === 'history' ? (result as HistoryRows | undefined)?.rows : result;
            if (name === 'history' || name === 'messagesAfter')
              for (const row of (rows ?? []) as MessageRow[]) row.cid = row.cid?.replace(/#.*/, '') ?? null;
            return result;
          } as typeof read,
      );
    },
  },
  {
    name: 'a ticket that can be spent twice',
    from: 56,
    shows: /./,
    store: (store) => ({
      ...store,
      isTicketSpent: async () => false,
      spendTicket: async (ticket) => (await store.spendTicket(ticket)) || true,
    }),
  },
  {
    name: 'a page that forgets a message without an ack',
    shows: /./,
    plant: (patch) =>
      patch(
        Outbox.prototype,
        'add',
        (add) =>
          function (this: Outbox, roomId, content, epoch) {
            const outcome = add.call(this, roomId, content, epoch);
            setTimeout(() => {
              for (const item of this.itemsOf(roomId)) if (item.content === content) this.discard(item.cid);
            }, 2000);
            return outcome;
          },
      ),
  },
  {
    name: 'a room whose listeners miss the first message after it was entered',
    shows: /listeners/,
    plant: (patch) => {
      const rooms = new WeakSet<object>();
      keepFromListeners(patch, (emitter, name) => {
        if (name !== 'message' || rooms.has(emitter)) return false;
        rooms.add(emitter);
        return true;
      });
    },
  },
  {
    name: 'a reset that listeners miss',
    from: 19,
    shows: /listeners got .*no reset/,
    plant: (patch) => keepFromListeners(patch, (_, name) => name === 'reset'),
  },
  {
    name: 'a removal that seats miss',
    shows: /removed|removal|gone/,
    plant: (patch) => {
      let isDelivering = false;
      patch(
        Channel.prototype,
        'announce',
        (announce) =>
          function (this: Channel, ...event) {
            isDelivering = true;
            announce.apply(this, event);
            isDelivering = false;
          },
      );
      patch(
        Channel.prototype,
        'leave',
        (leave) =>
          function (this: Channel, seat) {
            if (!isDelivering) leave.call(this, seat);
          },
      );
      patch(
        Line.prototype,
        'onTakenOut',
        (onTakenOut) =>
          function (this: Line, seat, why) {
            if (!isDelivering) onTakenOut.call(this, seat, why);
          },
      );
    },
  },
  {
    name: 'a resume that drops what is beyond the head',
    from: 10,
    shows: /resume|no end/,
    plant: (patch) =>
      // Only a resume says that there is a row which nobody brings.
      patch(Feed.prototype, 'announceUnheard', () => () => {}),
  },
  {
    name: 'a page of older messages that wins over what was heard since its request',
    shows: /shows/,
    plant: (patch) =>
      patch(
        RoomSync.prototype,
        'dispatch',
        (dispatch) =>
          function (this: RoomSync, action: RoomAction) {
            if (action.type === 'older') dispatch.call(this, { type: 'failed' });
            dispatch.call(this, action);
          },
      ),
  },
  ...CHANGE_BUGS,
  ...ENCOUNTER_BUGS,
  ...RIGHTS_BUGS,
  ...CLUSTER_BUGS,
];

/**
 * The store of one process of a cluster, over the database that all share: posts and changes of rooms go through the
 * real `RoomLanes`, as in `server/data/storage/postgres/postgres-store.ts`.
 */
import { AppError } from '../../protocol/errors.ts';
import { READ_NAMES, WRITE_NAMES } from '../../server/data/storage/queries/queries.ts';
import { all } from '../../server/data/storage/queries/steps.ts';
import { type Locks, roomOfInvite, WRITE_TRAITS } from '../../server/data/storage/queries/traits.ts';
import { type LanePort, RoomLanes } from '../../server/data/storage/room-lanes.ts';
import { type WriteCommand, writeCommand } from '../../server/data/storage/sqlite/worker-messages.ts';
import type { Promised } from '../../server/data/storage/store/operation.ts';
import type { AppendOutcome, NewMessage, Reads, Store, Writes } from '../../server/data/storage/store.ts';
import { type Caller, CallFailure, type Database, succeeded } from './database.ts';
import { rowsOf } from './row-locks.ts';

type RoomCommand = Exclude<WriteCommand, { name: 'append' }>;

const WRITERS = 4;
const ALL_ROWS = 1_000_000;

export function createSharedStore(database: Database, caller: Caller): Store {
  let isClosed = false;
  let calls = 0;
  const port: LanePort<NewMessage, AppendOutcome> = {
    async call(index, n, messages) {
      const writer = `${caller.owner.name}, writer ${index}`;
      const batch = messages.map((args) => ({ name: 'append' as const, args }));
      return await database.append(caller, { writer, n, batch });
    },
    fateOf: (error) => (error instanceof CallFailure ? error.fate : 'unknown'),
    weigh: ({ content }) => content.length,
    keyOf: ({ roomId, userId, cid }) => (cid === null ? null : `${roomId} ${userId} ${cid}`),
    isRepeatable: ({ cid }) => cid !== null,
  };
  const lanes = new RoomLanes(port, WRITERS);

  /** One command in a transaction of its own, which locks the room. */
  const commit = (command: RoomCommand, roomId?: number) =>
    database.write(caller, `commit ${command.name}`, {
      rows: rowsOf(command, roomId),
      run: (disk) => {
        const { results } = succeeded(disk.commit([command]));
        caller.onCommitted();
        return results[0];
      },
    });

  async function write(command: WriteCommand): Promise<unknown> {
    if (command.name === 'append') return await lanes.submit(command.args.roomId, command.args);
    const roomId = await roomOf(command);
    return await (roomId === undefined ? commit(command) : lanes.run(roomId, () => commit(command, roomId)));
  }

  async function roomOf({ name, args }: RoomCommand): Promise<number | undefined> {
    if (name === 'acceptInvite') return await roomOfCode(args.codeHash);
    // The union of name and args is one of the pairs of WRITE_TRAITS; TypeScript cannot follow the pairing.
    return (WRITE_TRAITS[name].locks as (args: unknown) => Locks)(args).roomId;
  }

  async function roomOfCode(codeHash: string): Promise<number | undefined> {
    const find = all<{ roomId: number }>(roomOfInvite(codeHash));
    const [invite] = await database.read(caller, 'read the room of an invitation', (disk) => disk.run(find));
    return invite?.roomId;
  }

  /** Rejects with `service_unavailable` in place of a failure of the database. */
  async function retryably<T>(call: () => Promise<T>): Promise<T> {
    if (isClosed) throw unavailable();
    calls++;
    try {
      return await call();
    } catch (error) {
      throw error instanceof CallFailure ? unavailable(error) : error;
    } finally {
      calls--;
    }
  }

  const methods = [
    ...WRITE_NAMES.map((name) => [name, (args: never) => retryably(() => write(writeCommand(name, args)))]),
    ...READ_NAMES.map((name) => [
      name,
      (args: never) =>
        retryably(() => database.read(caller, `read ${name}`, (disk) => disk.read(name, args))),
    ]),
  ];
  return {
    ...(Object.fromEntries(methods) as Promised<Writes> & Promised<Reads>),
    purge: async ({ now }) =>
      void (await retryably(() => write({ name: 'purgeSome', args: { now, limit: ALL_ROWS } }))),
    check: async () => void (await retryably(() => write({ name: 'touch', args: 0 }))),
    async close() {
      isClosed = true;
      await lanes.idle();
      while (calls > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
}

function unavailable(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause, retryAfterMs: 1000 });
}

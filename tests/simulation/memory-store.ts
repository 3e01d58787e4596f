/**
 * A store over a `Disk`. Every commit and every reply is an event of its own, so a process can die between the arrival
 * of a message, its commit, and the reply. It keeps the contract of `server/data/storage/store.ts`.
 */
import { AppError } from '../../protocol/errors.ts';
import { GroupCommit, ItemFailure } from '../../server/data/storage/group-commit.ts';
import { PURGES, READ_NAMES, WRITE_NAMES } from '../../server/data/storage/queries/queries.ts';
import { type WriteCommand, writeCommand } from '../../server/data/storage/sqlite/worker-messages.ts';
import type { Promised } from '../../server/data/storage/store/operation.ts';
import type { Reads, Store, Writes } from '../../server/data/storage/store.ts';
import type { Disk } from './disk.ts';
import type { Plan } from './plan.ts';
import type { Owner, World } from './world.ts';

/** Schedules something at a random time. Calls are ordered by these times only. */
export type Later = (label: string, run: () => void) => void;

export interface MemoryStoreOptions {
  disk: Disk;
  later: Later;
  /** Whether a commit would fail now, as on a full disk. */
  isFull?: () => boolean;
}

/** The store of a process that has the disk for itself. */
export function openAlone(of: {
  world: World;
  plan: Plan;
  owner: Owner;
  disk: Disk;
  isFull: () => boolean;
}): Store {
  const { world, plan, owner, disk, isFull } = of;
  const { minMs, maxMs } = plan.weather.storage;
  const later: Later = (label, run) => void world.schedule(owner, label, world.delay(minMs, maxMs), run);
  return createMemoryStore({ disk, later, isFull });
}

const ALL_ROWS = 1_000_000;
const LIMITS = { maxBatch: 1000, maxWaitingBytes: 1_000_000 };

export function createMemoryStore({ disk, later, isFull = () => false }: MemoryStoreOptions): Store {
  let isClosed = false;
  let reading = 0;
  const commits = new GroupCommit<WriteCommand, unknown>(commit, () => 1, LIMITS);

  function commit(batch: WriteCommand[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      later('commit', () => {
        if (isFull()) {
          const full = new AppError('service_unavailable', { retryAfterMs: 1000 });
          return later('commit failed', () => reject(full));
        }
        const { results, failures } = disk.commit(batch);
        for (const { index, error } of failures) results[index] = new ItemFailure(new Error(error));
        later('committed', () => resolve(results));
      });
    });
  }

  async function write(command: WriteCommand): Promise<unknown> {
    if (isClosed) throw new AppError('service_unavailable');
    return commits.submit(command);
  }

  async function read(query: () => unknown): Promise<unknown> {
    if (isClosed) throw new AppError('service_unavailable');
    reading++;
    return new Promise((resolve) => {
      later('read', () => {
        const result = query();
        later('reply', () => {
          reading--;
          resolve(result);
        });
      });
    });
  }

  async function close(): Promise<void> {
    isClosed = true;
    await commits.idle();
    while (reading > 0) await new Promise<void>((resolve) => later('closing', resolve));
  }

  const methods = [
    ...WRITE_NAMES.map((name) => [name, (args: never) => write(writeCommand(name, args))]),
    ...READ_NAMES.map((name) => [name, (args: never) => read(() => disk.read(name, args))]),
  ];
  return {
    ...(Object.fromEntries(methods) as Promised<Writes> & Promised<Reads>),
    async purge({ now }) {
      const args = { now, limit: ALL_ROWS };
      for (const name of PURGES) while (await write({ name, args }));
    },
    check: async () => void (await write({ name: 'touch', args: 0 })),
    close,
  };
}

/**
 * A store over a `Disk`. Every commit and every answer is an event of its own, so a process can die between a message's
 * arrival, its commit, and the news of its commit. Holds the contract of `server/storage/store.ts`.
 */
import { AppError } from '../../protocol/errors.ts';
import { GroupCommit, ItemFailure } from '../../server/storage/group-commit.ts';
import type { Store } from '../../server/storage/store.ts';
import type { Disk } from './disk.ts';

/** Makes something happen later; in no order but that of the times that it picks. */
export type Later = (label: string, run: () => void) => void;

export interface MemoryStoreOptions {
  disk: Disk;
  later: Later;
  /** Whether a commit fails now, as on a full disk. */
  isFull?: () => boolean;
}

type Command = (disk: Disk) => unknown;

const LIMITS = { maxBatch: 1000, maxWaitingBytes: 1_000_000 };

export function createMemoryStore({ disk, later, isFull = () => false }: MemoryStoreOptions): Store {
  let isClosed = false;
  let reading = 0;
  const commits = new GroupCommit<Command, unknown>(commit, () => 1, LIMITS);

  function attempt(command: Command): unknown {
    try {
      return command(disk);
    } catch (error) {
      return new ItemFailure(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function commit(batch: Command[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      later('commit', () => {
        if (isFull()) {
          const full = new AppError('service_unavailable', { retryAfterMs: 1000 });
          return later('commit failed', () => reject(full));
        }
        const results = batch.map(attempt);
        later('committed', () => resolve(results));
      });
    });
  }

  async function write<T>(command: (disk: Disk) => T): Promise<T> {
    if (isClosed) throw new AppError('service_unavailable');
    return (await commits.submit(command)) as T;
  }

  async function read<T>(query: (disk: Disk) => T): Promise<T> {
    if (isClosed) throw new AppError('service_unavailable');
    reading++;
    return new Promise((resolve) => {
      later('read', () => {
        const answer = query(disk);
        later('answer', () => {
          reading--;
          resolve(answer);
        });
      });
    });
  }

  async function close(): Promise<void> {
    isClosed = true;
    await commits.idle();
    while (reading > 0) await new Promise<void>((resolve) => later('closing', resolve));
  }

  return {
    createUser: (user) => write((on) => on.createUser(user)),
    findUser: (key) => read((on) => on.findUser(key)),
    createSession: (session) => write((on) => on.createSession(session)),
    exchangeRefreshToken: (exchange) => write((on) => on.exchangeRefreshToken(exchange)),
    revokeSession: (of) => write((on) => on.revokeSession(of)),
    sessionsRevokedSince: (time) => read((on) => on.sessionsRevokedSince(time)),
    createRoom: (room) => write((on) => on.createRoom(room)),
    findRoom: (id) => read((on) => on.findRoom(id)),
    listRooms: (query) => read((on) => on.listRooms(query)),
    append: (message) => write((on) => on.append(message)),
    history: (query) => read((on) => on.history(query)),
    messagesAfter: (query) => read((on) => on.messagesAfter(query)),
    spendTicket: (ticket) => write((on) => on.spendTicket(ticket)),
    isTicketSpent: (jti) => read((on) => on.isTicketSpent(jti)),
    saveRoster: (roster) => write((on) => on.saveRoster(roster)),
    takeRoster: () => write((on) => on.takeRoster()),
    purge: (before) => write((on) => on.purge(before)),
    check: () => write(() => undefined),
    close,
  };
}

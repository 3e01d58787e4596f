/**
 * Asks the database how far the logs are that this process serves. The bus between processes may lose an event, and a
 * process may end between a commit and its announcement: a log that is ahead of what was delivered here is read then.
 */
import type { Bus, BusEvent } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Sessions } from '../../features/identity/sessions.ts';
import { measures } from '../../platform/metrics/measures.ts';
import type { ServedLog, ServedLogs } from './served-logs.ts';

const EVERY_MS = 2000;
const IN_DOUBT_EVERY_MS = 1000;
/** Processes that were started together must not ask together for ever. */
const JITTER = 0.1;
/** Logs of each kind in one read. */
const LOGS_A_READ = 1000;

export interface HeadPollParts {
  store: Pick<Store, 'heads'>;
  bus: Pick<Bus, 'isInDoubt' | 'onDoubt'>;
  hub: { servedLogs(): ServedLogs; hear(event: BusEvent): void };
  sessions: Pick<Sessions, 'catchUp'>;
  epoch: string;
  /**
   * The database has lost what this process has delivered. Numbers would be given a second time, so a new epoch must
   * begin, and the process must end. Called again by the next poll if it goes on.
   */
  onLost(error: Error): void;
  /** The database has another epoch: the process must end. */
  onFatal(error: Error): void;
}

export class HeadPoll {
  readonly #parts: HeadPollParts;
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  /** Something may have been missed since the poll under way began. */
  #isOutdated = false;
  #isStopped = false;

  constructor(parts: HeadPollParts) {
    this.#parts = parts;
    this.#stopListening = parts.bus.onDoubt(() => void this.#poll());
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const every = this.#parts.bus.isInDoubt ? IN_DOUBT_EVERY_MS : EVERY_MS;
    const ms = every * (1 - JITTER + 2 * JITTER * Math.random());
    this.#timer = setTimeout(() => void this.#poll(), ms).unref();
  }

  async #poll(): Promise<void> {
    this.#isOutdated = true;
    if (this.#isPolling) return;
    this.#isPolling = true;
    while (this.#isOutdated && !this.#isStopped) {
      this.#isOutdated = false;
      // A database that takes no reads now is asked again soon.
      await Promise.all([this.#readHeads(), this.#readRevocations()]).catch(() => undefined);
    }
    this.#isPolling = false;
    this.#schedule();
  }

  async #readHeads(): Promise<void> {
    const { store, hub, epoch } = this.#parts;
    // As they are before the read: what is delivered meanwhile may be missing from it.
    const { rooms, users } = hub.servedLogs();
    const [roomIds, userIds] = [[...rooms.keys()], [...users.keys()]];
    for (let at = 0; at < Math.max(roomIds.length, userIds.length); at += LOGS_A_READ) {
      const asked = {
        roomIds: roomIds.slice(at, at + LOGS_A_READ),
        userIds: userIds.slice(at, at + LOGS_A_READ),
      };
      const heads = await store.heads(asked);
      if (this.#isStopped) return;
      if (heads.epoch !== epoch) {
        this.stop();
        return this.#parts.onFatal(new Error('the database has begun a new epoch'));
      }
      const ofRooms = new Map(heads.rooms.map(({ roomId, seq }) => [roomId, seq]));
      this.#compare(asked.roomIds, rooms, ofRooms, (roomId, seq) => hub.hear({ type: 'head', roomId, seq }));
      const ofUsers = new Map(heads.users.map(({ userId, seq }) => [userId, seq]));
      this.#compare(asked.userIds, users, ofUsers, (userId, seq) =>
        hub.hear({ type: 'user_log', userId, seq }),
      );
    }
  }

  #compare(
    ids: readonly number[],
    served: ReadonlyMap<number, ServedLog>,
    heads: ReadonlyMap<number, number>,
    onAhead: (id: number, seq: number) => void,
  ): void {
    for (const id of ids) {
      const { lowest = 0, highest = 0 } = served.get(id) ?? {};
      const seq = heads.get(id) ?? 0;
      if (seq < highest)
        return this.#parts.onLost(
          new Error(`the database has lost changes ${seq + 1} to ${highest} of log ${id}`),
        );
      if (seq <= lowest) continue;
      measures.pollFinds++;
      onAhead(id, seq);
    }
  }

  async #readRevocations(): Promise<void> {
    for (const sessionId of await this.#parts.sessions.catchUp()) {
      this.#parts.hub.hear({ type: 'session_revoked', sessionId });
    }
  }
}

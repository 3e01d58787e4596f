/**
 * The index beside the embedded database, in a thread that is there while it is needed. Nothing of it is needed to chat:
 * a file that is damaged is deleted and built anew, and a thread that has ended is started again by the next call.
 */
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../protocol/errors.ts';
import { THREAD_LIMITS } from '../../../platform/heap.ts';
import { searchFile } from '../../storage/sqlite/data-dir.ts';
import type { BehindRow, CursorMove, Store } from '../../storage/store.ts';
import type {
  BuildState,
  Entry,
  Proposal,
  Proposed,
  RoomEntry,
  RoomWrite,
  SearchIndex,
} from '../search-index.ts';
import type { StemLanguage } from '../stems.ts';
import type { IndexCall, IndexCalls, IndexReply, IndexWorkerData } from './messages.ts';

/** A thread that was not needed for so long ends, and gives its memory back: after a search or a write, and otherwise. */
const IDLE_MS = { busy: 20_000, quiet: 1000 };
/** Calls that come alone, as at the start of a quiet server. */
const QUIET: ReadonlySet<keyof IndexCalls> = new Set([
  'isBegun',
  'begin',
  'state',
  'note',
  'places',
  'rooms',
]);
const WAITING_MAX = 1000;
/** One thread answers all queries, so each has short turns. */
const TURN_MS = 25;
/** The consumer that never was: by its name, rooms are listed with their heads. */
const NOBODY = '';
const ROOMS = 1000;

export interface SqliteSearchOptions {
  dataDir: string;
  epoch: string;
  languages: readonly StemLanguage[];
  store: Pick<Store, 'consumerBehind' | 'consumerPlace'>;
  /** For the log of the operator: the index is built anew. */
  onDamage(error: string): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class SqliteSearch implements SearchIndex {
  readonly isShared = false;
  readonly #options: SqliteSearchOptions;
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** The thread has answered, and was not told to end. */
  #isAwake = false;
  #idle: NodeJS.Timeout | undefined;
  /** The thread is kept until then. */
  #busyUntil = 0;
  #lastId = 0;
  /** The thread that ends; a new one opens the file after it. */
  #ending: Promise<unknown> = Promise.resolve();
  /** What was found in the file, which is deleted when the thread has ended. */
  #damage: string | undefined;
  /** Why the thread ends. */
  #reason: string | undefined;
  #isClosed = false;

  constructor(options: SqliteSearchOptions) {
    this.#options = options;
    this.#file = searchFile(options.dataDir);
  }

  /** No other process has this database, so the holder does not matter. */
  async open(_holder: string): Promise<BuildState | null> {
    if (!(await this.#call('isBegun', undefined))) {
      const places: { roomId: number; seq: number }[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const page = await this.#options.store.consumerBehind({ name: NOBODY, after, limit: ROOMS });
        places.push(...page.rooms.map(({ roomId, head }) => ({ roomId, seq: head })));
        after = page.next;
      }
      await this.#call('begin', places);
    }
    return await this.state();
  }

  state(): Promise<BuildState | null> {
    return this.#call('state', undefined);
  }

  async behind(of: { after: number; limit: number }): Promise<{ rooms: BehindRow[]; next: number | null }> {
    const { rooms, next } = await this.#options.store.consumerBehind({ name: NOBODY, ...of });
    const places = await this.#placesOf(rooms.map(({ roomId }) => roomId));
    const all = rooms.map(({ roomId, head }) => ({ roomId, at: places.get(roomId) ?? 0, head }));
    return { rooms: all.filter(({ at, head }) => head > at), next };
  }

  async place(roomId: number): Promise<BehindRow | undefined> {
    const row = await this.#options.store.consumerPlace({ name: NOBODY, roomId });
    return row && { ...row, at: (await this.#placesOf([roomId])).get(roomId) ?? 0 };
  }

  async #placesOf(roomIds: readonly number[]): Promise<Map<number, number>> {
    if (roomIds.length === 0) return new Map();
    const places = await this.#call('places', roomIds);
    return new Map(places.map(({ roomId, seq }) => [roomId, seq]));
  }

  async write(move: CursorMove, entries: readonly Entry[]): Promise<boolean> {
    const [isWritten = false] = await this.writeAll([{ move, entries }]);
    return isWritten;
  }

  writeAll(writes: readonly RoomWrite[]): Promise<boolean[]> {
    return this.#call('writeAll', writes);
  }

  add(entries: readonly RoomEntry[]): Promise<boolean> {
    return this.#call('add', entries);
  }

  note(state: BuildState): Promise<boolean> {
    return this.#call('note', state);
  }

  async awake(): Promise<void> {
    if (!this.#isAwake) await this.#call('isBegun', undefined);
  }

  propose(proposal: Proposal): Promise<Proposed> {
    const withinMs = Math.min(TURN_MS, proposal.withinMs);
    return this.#call('propose', { ...proposal, withinMs });
  }

  rooms(of: { after: number; limit: number }): Promise<number[]> {
    return this.#call('rooms', of);
  }

  forget(roomId: number): Promise<boolean> {
    return this.#call('forget', roomId);
  }

  async bytes(): Promise<number> {
    const [file, log] = await Promise.all(['', '-wal'].map((suffix) => sizeOf(this.#file + suffix)));
    return (file ?? 0) + (log ?? 0);
  }

  clear(): Promise<void> {
    return this.#call('clear', undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ending;
  }

  async #call<Name extends keyof IndexCalls>(
    name: Name,
    args: Parameters<IndexCalls[Name]>[0],
  ): Promise<ReturnType<IndexCalls[Name]>> {
    if (this.#isClosed || this.#waiting.size >= WAITING_MAX) throw unavailable();
    await this.#ending;
    // Meanwhile it may have been closed: nobody would end a thread that starts now.
    if (this.#isClosed) throw unavailable();
    const worker = this.#worker ?? this.#start();
    clearTimeout(this.#idle);
    if (!QUIET.has(name)) this.#busyUntil = performance.now() + IDLE_MS.busy;
    const id = ++this.#lastId;
    return await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      // `name` and `args` belong together; TypeScript cannot follow the pairing.
      worker.postMessage({ id, name, args } as IndexCall);
    });
  }

  #start(): Worker {
    const { epoch, languages } = this.#options;
    const data: IndexWorkerData = { file: this.#file, epoch, languages };
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: data,
      resourceLimits: THREAD_LIMITS,
    });
    this.#worker = worker;
    worker.on('message', (reply: IndexReply) => this.#receive(worker, reply));
    worker.on('error', (error) => this.#rejectAll(error.message));
    worker.on('exit', () => this.#onExit(worker));
    return worker;
  }

  #receive(worker: Worker, reply: IndexReply): void {
    if (reply.kind !== 'done' && reply.isDamaged && worker === this.#worker) {
      this.#damage = reply.error;
      this.#end();
    }
    if (reply.kind === 'unusable') {
      this.#reason = reply.error;
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'done') {
      this.#isAwake = true;
      waiting?.resolve(reply.result);
    } else waiting?.reject(unavailable(reply.error));
    clearTimeout(this.#idle);
    if (this.#waiting.size > 0) return;
    const idleMs = Math.max(IDLE_MS.quiet, this.#busyUntil - performance.now());
    this.#idle = setTimeout(() => this.#end(), idleMs).unref();
  }

  #onExit(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#isAwake = false;
    if (this.#damage !== undefined) this.#discard(this.#damage);
    this.#damage = undefined;
    this.#rejectAll(this.#reason ?? 'the thread of the index ended');
    this.#reason = undefined;
  }

  #rejectAll(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(unavailable(reason));
    this.#waiting.clear();
  }

  /** What was asked before is answered. */
  #end(): void {
    const worker = this.#worker;
    clearTimeout(this.#idle);
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    this.#isAwake = false;
    this.#ending = ended;
  }

  #discard(error: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file + suffix, { force: true });
    this.#options.onDamage(error);
  }
}

/** In bytes; 0: there is no such file. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function unavailable(cause?: string): AppError {
  return new AppError('service_unavailable', { cause, retryAfterMs: 1000 });
}

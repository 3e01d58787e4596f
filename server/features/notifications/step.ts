/** What the notifier writes about one room, in commands of at most 100 rows. The cursor moves with the last one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, NotifyNotice } from '../../data/bus/bus.ts';
import type { NotificationStep, Store } from '../../data/storage/store.ts';
import { LostCursor } from '../consumers/work.ts';
import { announceToUsers } from '../rooms/announce.ts';

const ROWS_MAX = 100;

type Rows = Pick<NotificationStep, 'inbox' | 'notices' | 'threads' | 'withdrawn'>;

export interface StepParts {
  store: Pick<Store, 'notify'>;
  bus: Bus;
  now(): number;
  /** A notification waits until then. */
  onDue(dueAt: number): void;
}

export class Step {
  readonly #parts: StepParts;
  readonly #place: { name: string; roomId: number; from: number };
  #rows = emptyRows();
  /** By user and message: what the user's sockets receive once the row is durable. */
  #frames = new Map<string, { userId: number; notice: NotifyNotice }>();
  /** The same, of messages that have no row. */
  #rowless: { userId: number; notice: NotifyNotice }[] = [];
  #hasWritten = false;

  constructor(parts: StepParts, place: { name: string; roomId: number; from: number }) {
    this.#parts = parts;
    this.#place = place;
  }

  get isEmpty(): boolean {
    return !this.#hasWritten && this.#size === 0 && this.#rowless.length === 0;
  }

  /** Rows about one user. */
  async add(rows: { [Kind in keyof Rows]?: Rows[Kind][number] }, notice?: NotifyNotice): Promise<void> {
    if (this.#size + 3 > ROWS_MAX) await this.#writeSome();
    const { inbox, notices, threads, withdrawn } = this.#rows;
    if (rows.inbox) inbox.push(rows.inbox);
    if (rows.threads) threads.push(rows.threads);
    if (rows.withdrawn) withdrawn.push(rows.withdrawn);
    if (rows.notices) {
      notices.push(rows.notices);
      const { userId, messageId } = rows.notices;
      if (notice) this.#frames.set(`${userId} ${messageId}`, { userId, notice });
    }
  }

  /** A notification that is shown, and not pushed. */
  show(userId: number, notice: NotifyNotice): void {
    this.#rowless.push({ userId, notice });
  }

  /** The last command. Throws `LostCursor`. */
  async end(to: number): Promise<void> {
    await this.#write(to);
    for (const { userId, notice } of this.#rowless)
      this.#parts.bus.publish({ type: 'notify', userId, notice });
  }

  get #size(): number {
    const { inbox, notices, threads, withdrawn } = this.#rows;
    return inbox.length + notices.length + threads.length + withdrawn.length;
  }

  /** A call of a whole room takes a hundred commands. After each the database is free for others, for as long. */
  async #writeSome(): Promise<void> {
    const begun = performance.now();
    await this.#write(null);
    await sleep(performance.now() - begun);
  }

  async #write(to: number | null): Promise<void> {
    const [rows, frames] = [this.#rows, this.#frames];
    this.#rows = emptyRows();
    this.#frames = new Map();
    const { store, bus, now, onDue } = this.#parts;
    let isFirst = true;
    for (let hasMore = true; hasMore; isFirst = false) {
      // What is withdrawn by the hundred takes several commands; only the last one moves the cursor.
      const some = isFirst ? rows : { ...emptyRows(), withdrawn: rows.withdrawn };
      const mayGoOn = rows.withdrawn.length > 0;
      const written = await store.notify({ ...this.#place, to: mayGoOn ? null : to, now: now(), ...some });
      if (written.outcome === 'lost') throw new LostCursor('another process has the cursor');
      announceToUsers(bus, written.changes);
      for (const { userId, messageId } of written.fresh) {
        const frame = frames.get(`${userId} ${messageId}`);
        if (frame) bus.publish({ type: 'notify', ...frame });
      }
      hasMore = written.hasMore;
    }
    this.#hasWritten = true;
    const dues = rows.notices.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
    if (dues.length > 0) onDue(Math.min(...dues));
    if (rows.withdrawn.length === 0 || to === null) return;
    const moved = await store.notify({ ...this.#place, to, now: now(), ...emptyRows() });
    if (moved.outcome === 'lost') throw new LostCursor('another process has the cursor');
  }
}

function emptyRows(): { -readonly [Kind in keyof Rows]: Rows[Kind][number][] } {
  return { inbox: [], notices: [], threads: [], withdrawn: [] };
}

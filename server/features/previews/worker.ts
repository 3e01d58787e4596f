/**
 * Looks at the links of messages that wait as tasks, some at a time, and gives the messages their previews. A task is in
 * the database until it has ended, so that another process, or the next start, goes on with it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkPreview } from '../../../protocol/link-previews.ts';
import { linksOf } from '../../../protocol/markdown/links.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { MessageRow, PreviewTask, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import { areRemoved, picturesIn } from '../../rules/link-previews.ts';
import { extraOf } from '../../rules/message.ts';
import { settingsOf } from '../../rules/standing.ts';
import type { LinkPictures } from './pictures.ts';
import type { Previews } from './preview.ts';

/** How many messages may wait, and of one author: of the others, the links are not looked at. */
export const LIMITS = { perAuthor: 50, total: 2000 };
/** Messages that are looked at together, and those of one author among them. */
const AT_ONCE = 8;
const AT_ONCE_OF_AUTHOR = 2;
/** What was written longer ago gets no previews: the server was away, or has just begun to make them. */
const FRESH_MS = 3_600_000;
/** A task that has failed waits this long. */
const RETRY_MS = 5000;

export interface WorkerParts {
  store: Pick<Store, 'previewTasks' | 'settlePreviews' | 'message' | 'findRoom'>;
  bus: Bus;
  previews: Pick<Previews, 'of'>;
  pictures: Pick<LinkPictures, 'drop'>;
  /** Origins of this server: its own pages say nothing to those who are not signed in. */
  ownOrigins: readonly string[];
  log: Logger;
  now: Now;
}

export class PreviewWorker {
  readonly #parts: WorkerParts;
  readonly #onError: (error: unknown) => void;
  /** By message, in the order in which they came. */
  readonly #waiting = new Map<number, PreviewTask>();
  readonly #running = new Map<number, { task: PreviewTask; done: Promise<void> }>();
  #stop = new AbortController();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#onError = throttled((err: unknown, count) =>
      parts.log.warn({ err, count }, 'the links of messages could not be looked at; they are tried again'),
    );
  }

  /** Messages whose links are still to be looked at. */
  get waiting(): number {
    return this.#waiting.size + this.#running.size;
  }

  /** Goes on with what others have left. */
  begin(): void {
    this.#stop = new AbortController();
    void this.#load(this.#stop.signal);
  }

  add(tasks: readonly PreviewTask[]): void {
    if (this.#stop.signal.aborted) return;
    for (const task of tasks) this.#waiting.set(task.messageId, task);
    this.#startSome();
  }

  /** What is under way ends without a result, and its tasks stay in the database. */
  async end(): Promise<void> {
    this.#stop.abort();
    this.#waiting.clear();
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done));
  }

  /** The links of a text that may get previews. */
  linksOf(content: string): string[] {
    const { ownOrigins } = this.#parts;
    return linksOf(content).filter((url) => !ownOrigins.includes(new URL(url).origin));
  }

  /** Whether it is one whose links may be looked at now. */
  isFresh({ createdAt, facts }: Pick<MessageRow, 'createdAt' | 'facts'>): boolean {
    return (facts?.editedAt ?? createdAt) > this.#parts.now() - FRESH_MS;
  }

  async #load(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const tasks = await this.#parts.store.previewTasks({ limit: LIMITS.total });
        if (!signal.aborted) this.add(tasks);
        return;
      } catch (error) {
        this.#onError(error);
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  #startSome(): void {
    if (this.#stop.signal.aborted) return;
    for (const [messageId, task] of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      if (this.#running.has(messageId) || this.#runningOf(task.userId) >= AT_ONCE_OF_AUTHOR) continue;
      this.#waiting.delete(messageId);
      const done = this.#run(task, this.#stop.signal).finally(() => {
        this.#running.delete(messageId);
        this.#startSome();
      });
      this.#running.set(messageId, { task, done });
    }
  }

  #runningOf(userId: number): number {
    let count = 0;
    for (const { task } of this.#running.values()) if (task.userId === userId) count++;
    return count;
  }

  async #run(task: PreviewTask, signal: AbortSignal): Promise<void> {
    const made = new Map<string, LinkPreview | undefined>();
    try {
      while (!signal.aborted && !(await this.#look(task, made, signal)));
    } catch (error) {
      if (signal.aborted) return;
      this.#onError(error);
      setTimeout(() => !signal.aborted && this.add([task]), RETRY_MS).unref();
    }
  }

  /** False: the text has changed meanwhile, and is looked at again. */
  async #look(
    task: PreviewTask,
    made: Map<string, LinkPreview | undefined>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { store, bus, pictures } = this.#parts;
    const { roomId, messageId, userId } = task;
    const message = await store.message({ roomId, messageId });
    const previews = message ? await this.#previewsOf(message, task, made) : [];
    // What has failed because of the end of this process is to be looked at by the next one.
    if (signal.aborted) return false;
    const revision = message?.facts?.revision ?? 0;
    const settled = await store.settlePreviews({ roomId, messageId, revision, previews });
    if (settled.outcome === 'stale') return false;
    const changed = settled.message;
    if (changed) bus.publish({ type: 'message', roomId, message: changed });
    const shown = picturesIn(changed?.facts ? extraOf(changed.facts).previews : []);
    const stored = picturesIn([...made.values()].filter((preview) => preview !== undefined));
    await pictures.drop(
      stored.filter((key) => !shown.includes(key)),
      userId,
    );
    return true;
  }

  /** In the order of the links. Those that are there stay. */
  async #previewsOf(
    message: MessageRow,
    task: PreviewTask,
    made: Map<string, LinkPreview | undefined>,
  ): Promise<LinkPreview[]> {
    const { store, previews } = this.#parts;
    const extra = message.facts ? extraOf(message.facts) : {};
    if (message.facts?.deletedAt != null || areRemoved(extra)) return [];
    const room = await store.findRoom(task.roomId);
    const isOn = room !== undefined && settingsOf(room).link_previews === true && this.isFresh(message);
    const found = await Promise.all(
      this.linksOf(message.content).map(async (url) => {
        const there = extra.previews?.find((preview) => preview.url === url);
        if (there || !isOn) return there;
        if (!made.has(url)) made.set(url, await previews.of(url, task));
        return made.get(url);
      }),
    );
    return found.filter((preview) => preview !== undefined);
  }
}

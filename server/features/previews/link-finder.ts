/** The consumer of the rooms' logs that finds new texts with links, where the room wants previews. */
import type { MessageRow, PreviewTask, Store } from '../../data/storage/store.ts';
import { areRemoved } from '../../rules/link-previews.ts';
import { extraOf } from '../../rules/message.ts';
import { settingsOf } from '../../rules/standing.ts';
import { LostCursor, type Progress, type Work } from '../consumers/work.ts';
import { LIMITS, type PreviewWorker } from './worker.ts';

const TEXTS = 200;
/** For how long it is remembered that a room wants none. A change of that is heard of. */
const OFF_MS = 10_000;
const MAX_OFF = 10_000;

export interface LinkFinderParts {
  store: Pick<Store, 'findRoom' | 'roomNews' | 'queuePreviews'>;
  worker: PreviewWorker;
}

export class LinkFinder implements Work {
  readonly name = 'previews';
  readonly #parts: LinkFinderParts;
  /** Rooms that want none, and until when that is believed. */
  readonly #off = new Map<number, number>();

  constructor(parts: LinkFinderParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#parts.worker.begin();
  }

  async end(): Promise<void> {
    await this.#parts.worker.end();
  }

  isIdle(roomId: number): boolean {
    return (this.#off.get(roomId) ?? 0) > performance.now();
  }

  async consume({ roomId, at, stored }: { roomId: number; at: number; stored: number }): Promise<Progress> {
    const { store, worker } = this.#parts;
    const room = await store.findRoom(roomId);
    if (!room) return { at, stored, head: at };
    if (settingsOf(room).link_previews !== true) {
      if (this.#off.size >= MAX_OFF) this.#off.clear();
      this.#off.set(roomId, performance.now() + OFF_MS);
      return { at: Math.max(at, room.seq), stored, head: room.seq };
    }
    this.#off.delete(roomId);
    const news = await store.roomNews({ roomId, after: at, limit: TEXTS, withPlain: true });
    if (!news) return { at, stored, head: at };
    const { upTo, head, texts, changes } = news;
    const edits = changes.filter(({ facts }) => (facts?.revision ?? 0) > 0);
    const tasks = [...texts, ...edits].flatMap((message) => this.#taskOf(message));
    if (tasks.length === 0) return { at: upTo, stored, head };
    const move = { roomId, from: stored, to: upTo };
    const queued = await store.queuePreviews({ name: this.name, move, tasks, limits: LIMITS });
    if (queued.outcome === 'lost') throw new LostCursor();
    worker.add(queued.tasks);
    return { at: upTo, stored: upTo, head };
  }

  /** A fresh text with a link that has no preview yet. */
  #taskOf(message: MessageRow): PreviewTask[] {
    const { worker } = this.#parts;
    const { id: messageId, roomId, userId, facts, notice, content } = message;
    if (notice !== null || facts?.deletedAt != null || !worker.isFresh(message)) return [];
    const extra = facts ? extraOf(facts) : {};
    if (areRemoved(extra)) return [];
    const isNew = (url: string) => !extra.previews?.some((preview) => preview.url === url);
    return worker.linksOf(content).some(isNew) ? [{ messageId, roomId, userId }] : [];
  }
}

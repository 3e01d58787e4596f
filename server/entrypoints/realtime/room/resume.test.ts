import { afterEach, describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../data/storage/store.ts';
import { Feed } from './feed.ts';
import { type Resuming, resume } from './resume.ts';
import type { RoomLog } from './room-log.ts';

const KIB = 1024;
const HEAD = 2000;
/** 3.9 KiB each: a batch holds sixteen of them. */
const ROWS = Array.from({ length: HEAD }, (_, index): MessageRow => {
  const seq = index + 1;
  const content = 'x'.repeat(4000);
  const at = { id: seq, roomId: 1, seq, changedSeq: seq, createdAt: seq };
  return { ...at, userId: 1, username: 'ann', cid: null, content, notice: null, facts: null };
});

let reads = 0;
const log = {
  roomId: 1,
  async after({ seq, limit, maxBytes = Number.POSITIVE_INFINITY }: Parameters<RoomLog['after']>[0]) {
    reads++;
    const rows = ROWS.slice(seq, seq + limit);
    return rows.slice(0, Math.max(1, Math.floor(maxBytes / 4000)));
  },
  head: async () => HEAD,
};

/** A client that reads when the test says so. */
class Reader implements Resuming {
  /** What was sent and not read yet. */
  owed: Buffer[] = [];
  seqs: number[] = [];
  isLive = false;
  /** Bytes that its user may still be sent. */
  allowance = Number.POSITIVE_INFINITY;
  #onAllowed: (() => void) | undefined;
  #isOpen = true;
  #onRead: (() => void) | undefined;

  isOpen(): boolean {
    return this.#isOpen;
  }

  send(json: string | null): void {
    expect(JSON.parse(json ?? '')).toEqual({ type: 'sync', room_id: 1, seq: HEAD });
  }

  sendFramed(bytes: Buffer): void {
    this.owed.push(bytes);
    const json = bytes.subarray(bytes.indexOf('{"type"')).toString();
    for (const { seq } of JSON.parse(json).events) this.seqs.push(seq);
  }

  countMissed(bytes: number): void {
    this.allowance -= bytes;
  }

  mayBeSentMore(): Promise<void> | undefined {
    if (this.allowance > 0) return undefined;
    return new Promise((resolve) => {
      this.#onAllowed = resolve;
    });
  }

  allow(bytes: number): void {
    this.allowance = bytes;
    this.#onAllowed?.();
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRead = resolve;
    });
  }

  read(): void {
    this.owed = [];
    this.#onRead?.();
  }

  close(): void {
    this.#isOpen = false;
    this.#onRead?.();
  }
}

const readers: Reader[] = [];
afterEach(() => {
  for (const reader of readers) reader.close();
  readers.length = 0;
});

function start(feed: Feed, since: number): Reader {
  const seat = new Reader();
  readers.push(seat);
  const goLive = () => {
    seat.isLive = true;
  };
  void resume({ seat, roomId: 1, feed, since, goLive });
  return seat;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const newFeed = () => {
  const feed = new Feed(log, () => {});
  feed.startAt(HEAD);
  return feed;
};

/** The bytes that the server holds for all sockets: those of different buffers. */
function heldBytes(): number {
  return [...new Set(readers.flatMap(({ owed }) => owed))].reduce((sum, { length }) => sum + length, 0);
}

describe('resume', () => {
  it('sends every event once and in order, then goes live', async () => {
    const reader = start(newFeed(), 7);
    while (!reader.isLive) {
      await settled();
      reader.read();
    }
    expect(reader.seqs).toEqual(ROWS.slice(7).map(({ seq }) => seq));
  });

  it('a socket that does not read is sent one batch, and no more', async () => {
    const reader = start(newFeed(), 0);
    await settled();
    expect(reader.owed).toHaveLength(1);
    expect(heldBytes()).toBeLessThan(80 * KIB);
  });

  it('a socket whose user has been sent enough waits, holds nothing meanwhile, and misses nothing', async () => {
    const feed = newFeed();
    const reader = start(feed, 0);
    reader.allowance = 1;
    for (let rest = 0; rest < 5; rest++) {
      await settled();
      reader.read();
      const had = reader.seqs.length;
      await settled();
      expect(reader.seqs).toHaveLength(had);
      expect(heldBytes()).toBe(0);
      reader.allow(1);
    }
    reader.allow(Number.POSITIVE_INFINITY);
    while (!reader.isLive) {
      await settled();
      reader.read();
    }
    expect(reader.seqs).toEqual(ROWS.map(({ seq }) => seq));
  });

  it('400 sockets that read slowly from fifty positions hold no more than fifty batches', async () => {
    const feed = newFeed();
    for (let index = 0; index < 400; index++) start(feed, index % 50);
    let most = 0;
    for (let round = 0; round < 20; round++) {
      await settled();
      most = Math.max(most, heldBytes());
      for (const reader of readers) reader.read();
    }
    expect(most).toBeLessThan(50 * 80 * KIB);
    // From the first common boundary on few positions are left.
    await settled();
    expect(heldBytes()).toBeLessThan(10 * 80 * KIB);
  });

  it('sockets at the same position share the read', async () => {
    const feed = newFeed();
    reads = 0;
    for (let index = 0; index < 100; index++) start(feed, 0);
    await settled();
    expect(reads).toBe(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../../../data/bus/memory.ts';
import { newUserAndRoom, say } from '../../../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../../../data/storage/sqlite/temporary-store.ts';
import { Presence } from '../../../../features/presence/presence.ts';
import { type HeadFrames, type HeadLine, Heads } from './heads.ts';

/** More lines than one turn of the event loop sends to. */
const LINES = 1200;
/** Lines that show no room get their heads at every 15th tick. */
const HIDDEN_TICKS = 15;

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await openTemporaryStore();
});
afterAll(async () => await opened?.dispose());

/** A line, and the latest texts of the heads that it was sent. */
class FakeLine implements HeadLine {
  readonly userId: number;
  readonly told: string[] = [];
  isHidden: boolean;

  constructor(userId: number, isHidden: boolean) {
    this.userId = userId;
    this.isHidden = isHidden;
  }

  onOut(): void {}

  tellHeads(frames: HeadFrames): void {
    for (const frame of frames.values()) this.told.push(/"excerpt":"(.*?)"/.exec(String(frame))?.[1] ?? '');
  }
}

/** A room that many lines have on their lists. */
async function crowd({ isHidden }: { isHidden: boolean }) {
  const { store } = opened;
  const { user, room } = await newUserAndRoom(store);
  const heads = new Heads({ store, presence: new Presence(), bus: createMemoryBus() });
  const lines = Array.from({ length: LINES }, (_, index) => new FakeLine(index + 1, isHidden));
  for (const line of lines) {
    heads.add(line);
    heads.attach(line, room);
  }
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) throw new Error('no lines');
  return {
    heads,
    lines,
    first,
    last,
    async speak(content: string): Promise<void> {
      await say(store, { roomId: room.id, userId: user.id }, [content]);
      const [row] = (await store.messagesAfter({ roomId: room.id, seq: 0, limit: 200 })).slice(-1);
      if (row) heads.hear(row);
    },
  };
}

describe('a tick with more lines than one turn of the event loop sends to', () => {
  it('sends each line its frames once', async () => {
    const { heads, lines, last, speak } = await crowd({ isHidden: false });
    await speak('hello');
    heads.tick();
    expect(last.told).toEqual([]);
    await expect.poll(() => last.told, { timeout: 20_000 }).toEqual(['hello']);
    expect(lines.filter(({ told }) => told.join() === 'hello')).toHaveLength(LINES);
  });

  it('a line that asks for what is newer gets its frames first, and not again', async () => {
    const { heads, lines, first, last, speak } = await crowd({ isHidden: false });
    await speak('hello');
    heads.tick();
    expect([first.told, last.told]).toEqual([['hello'], []]);
    heads.catchUp(last);
    heads.catchUp(last);
    expect(last.told).toEqual(['hello']);
    await expect.poll(() => lines.every(({ told }) => told.length > 0), { timeout: 20_000 }).toBe(true);
    expect(last.told).toEqual(['hello']);
  });

  it('a line that is shown meanwhile loses nothing of the time in which it was hidden', async () => {
    const { heads, last, speak } = await crowd({ isHidden: true });
    await speak('while hidden');
    for (let tick = 1; tick <= HIDDEN_TICKS; tick++) heads.tick();
    expect(last.told).toEqual([]);
    heads.catchUp(last);
    last.isHidden = false;
    expect(last.told).toEqual(['while hidden']);
  });

  it('a line that has closed meanwhile gets nothing', async () => {
    const { heads, lines, last, speak } = await crowd({ isHidden: false });
    await speak('hello');
    heads.tick();
    heads.delete(last);
    const others = lines.slice(0, -1);
    await expect.poll(() => others.every(({ told }) => told.length > 0), { timeout: 20_000 }).toBe(true);
    expect(last.told).toEqual([]);
  });
});

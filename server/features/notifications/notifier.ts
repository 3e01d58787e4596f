/** The consumer of the rooms' logs that decides, for each new text, whom it notifies, and why. */
import type { Bus } from '../../data/bus/bus.ts';
import type { AudienceRow, EagerRow, MessageRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { FailedAt, LostCursor, type Progress, type Work } from '../consumers/work.ts';
import { ONLINE, type Presence } from '../presence/presence.ts';
import { decide, type Occasion, occasionOf } from './decide.ts';
import { noticeFor } from './notice.ts';
import { RoomPeople } from './people.ts';
import { Step } from './step.ts';
import type { Waiting } from './waiting.ts';

const TEXTS = 100;
/** How long it is remembered who wants to hear of plain texts in a room. */
const EAGER_MS = 1000;
const MAX_EAGER = 2000;
/** A push for somebody who has a page open waits for them to read the message. */
const WAIT_MS = 15_000;
/** A room's plain texts are pushed at most once in this time. */
const ALL_EVERY_MS = 60_000;
const MAX_ALL = 10_000;
/** An edit notifies the people whom it adds, within this time of the text. */
const EDIT_MS = 24 * 3_600_000;
/** After this long a change notifies nobody: what was notified before is not known for ever (queries/purge.ts). */
const CHANGE_MS = 6 * 24 * 3_600_000;

/** As stored in `followers` and `follower_leases`, which processes of earlier builds share. */
export const NOTIFIER = 'attention';

export interface NotifierParts {
  store: Store;
  bus: Bus;
  presence: Pick<Presence, 'has'>;
  waiting: Waiting;
  now: Now;
}

interface Page {
  step: Step;
  people: RoomPeople;
  eager: EagerRow;
}

export class Notifier implements Work {
  readonly name = NOTIFIER;
  readonly #parts: NotifierParts;
  readonly #eager = new Map<number, { row: EagerRow; until: number }>();
  /** By user and room: which plain text was last to be pushed, and when. */
  readonly #lastAll = new Map<string, { messageId: number; at: number }>();

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#parts.waiting.start();
  }

  async end(): Promise<void> {
    await this.#parts.waiting.stop();
  }

  isIdle(roomId: number): boolean {
    const eager = this.#eager.get(roomId);
    return eager !== undefined && eager.until > performance.now() && eager.row.userIds.length === 0;
  }

  async consume({ roomId, at, stored }: { roomId: number; at: number; stored: number }): Promise<Progress> {
    const { store, bus, now, waiting, presence } = this.#parts;
    const eager = await this.#eagerIn(roomId);
    const withPlain = eager !== undefined && eager.userIds.length > 0;
    const news = await store.roomNews({ roomId, after: at, limit: TEXTS, withPlain });
    if (!news || !eager) return { at, stored, head: at };
    const { upTo, head, texts, changes } = news;
    const step = new Step(
      { store, bus, now, onDue: (dueAt) => waiting.expect(dueAt) },
      { name: this.name, roomId, from: stored },
    );
    const authors = [...texts, ...changes].map(({ userId }) => userId);
    const isOnline = (userId: number) => presence.has(ONLINE, userId);
    const people = new RoomPeople({ store, isOnline }, roomId, authors);
    const page = { step, people, eager };
    for (const text of texts) await naming(text, this.#onText(page, text));
    for (const change of changes) await naming(change, this.#onChange(page, change));
    if (step.isEmpty) return { at: upTo, stored, head };
    await step.end(upTo);
    return { at: upTo, stored: upTo, head };
  }

  async #onText(page: Page, message: MessageRow): Promise<void> {
    const { people, eager } = page;
    const occasion = occasionOf(message, eager.kind);
    const { extra, threadId, invited } = occasion;
    if (message.notice !== null && invited === null) return;
    // A try before this one may have written for the text as it was, and then failed.
    await this.#withdraw(page, occasion);
    const named = new Set([...(extra.mentions ?? []), ...(extra.reply_to ? [extra.reply_to.user_id] : [])]);
    if (invited !== null) named.add(invited);
    if (threadId === null && message.notice === null) for (const userId of eager.userIds) named.add(userId);
    if (named.size === 0 && threadId === null && !extra.mention_room) return;
    await people.load([...named, message.userId]);
    if (threadId !== null)
      for (const userId of await this.#onReply(page, occasion, threadId)) named.add(userId);
    for (const userId of named) await this.#onPerson(page, occasion, people.row(userId));
    if (!extra.mention_room) return;
    for await (const rows of people.members())
      for (const row of rows) if (!named.has(row.userId)) await this.#onPerson(page, occasion, row);
  }

  /**
   * A user follows a thread that they started, replied to, or are mentioned in, and every thread of a room where their
   * membership's `threads` is 'all'. Returns the thread's followers.
   */
  async #onReply({ step, people, eager }: Page, occasion: Occasion, threadId: number): Promise<Set<number>> {
    const { message, extra } = occasion;
    const root = await this.#parts.store.message({ roomId: message.roomId, messageId: threadId });
    const starting = [...(root ? [root.userId] : []), ...(extra.mentions ?? [])];
    const asked = [...new Set([message.userId, ...starting, ...eager.threadIds])];
    const followers = new Set(await people.loadThread(threadId, asked));
    await people.load([...asked, ...followers]);
    const before = message.seq - 1;
    const added = [
      [message.userId, message.seq] as const,
      ...[...starting, ...eager.threadIds].map((userId) => [userId, before] as const),
    ];
    for (const [userId, readSeq] of added) {
      if (!people.follow(threadId, userId, readSeq)) continue;
      followers.add(userId);
      await step.add({ threads: { userId, threadId, readSeq } });
    }
    return followers;
  }

  async #onPerson(page: Page, occasion: Occasion, row: AudienceRow | undefined): Promise<void> {
    if (!row) return;
    const { step, people, eager } = page;
    const { message, threadId } = occasion;
    const now = this.#parts.now();
    const person = people.person(row, threadId);
    const { reason, off, isListed } = decide(occasion, person, now);
    if (reason === null || (off !== null && !isListed)) return;
    const { userId } = row;
    const at = { userId, messageId: message.id, reason };
    const inbox = isListed ? { threadId, seq: message.seq, ...at } : undefined;
    if (off !== null) {
      const notices = { decision: 'off' as const, detail: off, dueAt: null, ...at };
      return await step.add({ ...(inbox && { inbox }), notices });
    }
    const notice = noticeFor(
      { occasion, roomName: eager.name, author: people.row(message.userId) },
      reason,
      row,
    );
    if (reason === 'all' && !this.#isNextOfAll(userId, message, now)) return step.show(userId, notice);
    const dueAt = person.isOnline ? now + WAIT_MS : now;
    const notices = { decision: 'waited' as const, detail: null, dueAt, ...at };
    await step.add({ ...(inbox && { inbox }), notices }, notice);
  }

  /** An edit, or a deletion. Reactions and pins notify nobody. */
  async #onChange(page: Page, message: MessageRow): Promise<void> {
    const { facts } = message;
    if (!facts || message.notice !== null) return;
    const occasion = occasionOf(message, page.eager.kind);
    await this.#withdraw(page, occasion);
    if (facts.deletedAt !== null || facts.revision === 0) return;
    const { mentions = [], mention_room: room } = occasion.extra;
    const isLate = (facts.editedAt ?? 0) - message.createdAt > EDIT_MS;
    if (isLate || this.#parts.now() - message.createdAt > CHANGE_MS) return;
    if (mentions.length === 0 && !room) return;
    await page.people.load([...mentions, message.userId]);
    // Those who were mentioned before have their rows already.
    for (const userId of mentions) await this.#onPerson(page, occasion, page.people.row(userId));
    if (!room) return;
    for await (const rows of page.people.members())
      for (const row of rows) await this.#onPerson(page, occasion, row);
  }

  /** Takes back what was written for a text before it was edited or deleted. */
  async #withdraw({ step }: Page, { message, extra }: Occasion): Promise<void> {
    const { id: messageId, facts, notice } = message;
    if (!facts || notice !== null) return;
    if (facts.deletedAt !== null) return await step.add({ withdrawn: { messageId } });
    if (facts.revision === 0) return;
    const { mentions: except = [], mention_room: room } = extra;
    const reasons = room ? (['mention'] as const) : (['mention', 'room'] as const);
    await step.add({ withdrawn: { messageId, reasons, except } });
  }

  async #eagerIn(roomId: number): Promise<EagerRow | undefined> {
    const known = this.#eager.get(roomId);
    if (known && known.until > performance.now()) return known.row;
    const row = await this.#parts.store.eagerMembers({ roomId });
    if (!row) return undefined;
    if (this.#eager.size >= MAX_EAGER) this.#eager.clear();
    this.#eager.set(roomId, { row, until: performance.now() + EAGER_MS });
    return row;
  }

  #isNextOfAll(userId: number, { id: messageId, roomId }: MessageRow, now: number): boolean {
    const key = `${userId} ${roomId}`;
    const last = this.#lastAll.get(key);
    // A page that could not be written is decided once more.
    if (last && last.messageId !== messageId && now - last.at < ALL_EVERY_MS) return false;
    this.#lastAll.delete(key);
    this.#lastAll.set(key, { messageId, at: now });
    const [oldest] = this.#lastAll.keys();
    if (this.#lastAll.size > MAX_ALL && oldest !== undefined) this.#lastAll.delete(oldest);
    return true;
  }
}

/** Names the message in the failure of what is done about it. */
async function naming({ seq }: MessageRow, act: Promise<void>): Promise<void> {
  try {
    await act;
  } catch (error) {
    throw error instanceof LostCursor ? error : new FailedAt(seq, error);
  }
}

/** The notifier on a real store and bus; who is online, what time it is and what is pushed is up to the test. */
import { pino } from 'pino';
import type { InboxPage } from '../../../../protocol/rest/notifications.ts';
import type { PushPayload } from '../../../../protocol/rest/push.ts';
import type { BusEvent } from '../../../data/bus/bus.ts';
import { createMemoryBus } from '../../../data/bus/memory.ts';
import { newRoom, newUser } from '../../../data/storage/contract/subject.ts';
import type { Store, UserRow } from '../../../data/storage/store.ts';
import { LogConsumer } from '../../consumers/log-consumer.ts';
import { Changes } from '../../messages/changes.ts';
import { Posting } from '../../messages/post.ts';
import type { PushResult } from '../../push/sender.ts';
import { Inbox } from '../inbox.ts';
import { NOTIFIER, Notifier } from '../notifier.ts';
import { Waiting } from '../waiting.ts';

export class NotifierWorld {
  readonly store: Store;
  readonly bus = createMemoryBus();
  readonly online = new Set<number>();
  readonly pushed: (PushPayload & { userId: number })[] = [];
  /** Warnings and errors. */
  readonly logged: Record<string, unknown>[] = [];
  readonly log = pino({ level: 'warn' }, { write: (line: string) => this.logged.push(JSON.parse(line)) });
  readonly shown: Extract<BusEvent, { type: 'notify' }>[] = [];
  readonly inbox: Inbox;
  readonly changes: Changes;
  readonly posting: Posting;
  now = Date.now();
  /** What the push service says of the next messages. */
  respond: (userId: number) => PushResult['outcome'][] | Promise<PushResult['outcome'][]> = () => [
    'delivered',
  ];
  readonly waiting: Waiting;
  consumer: LogConsumer;
  #replies = 0;

  constructor(store: Store) {
    this.store = store;
    const now = () => this.now;
    this.inbox = new Inbox({ store, now, isOnline: (userId) => this.online.has(userId) });
    this.changes = new Changes({ store, bus: this.bus, now });
    this.posting = new Posting({ store, bus: this.bus, now });
    this.bus.subscribe((event) => {
      if (event.type === 'notify') this.shown.push(event);
    });
    this.waiting = this.#newWaiting();
    this.consumer = this.#newConsumer();
  }

  async restart(): Promise<void> {
    await this.consumer.stop();
    this.consumer = this.#newConsumer();
  }

  async newUsers<Name extends string>(...names: Name[]): Promise<Record<Name, UserRow>> {
    const users = {} as Record<Name, UserRow>;
    for (const name of names) users[name] = await newUser(this.store);
    return users;
  }

  /** A public room of the first user, with the others as members. */
  async newRoom(...people: UserRow[]): Promise<number> {
    const [owner, ...others] = people;
    const { id: roomId } = await newRoom(this.store, owner?.id ?? 0);
    for (const { id: userId } of others) await this.store.joinRoom({ roomId, userId, now: this.now });
    return roomId;
  }

  /** A message, as the server posts it. Returns its id. */
  async post(
    roomId: number,
    { id: userId, username }: UserRow,
    content: string,
    replyTo?: number,
  ): Promise<number> {
    const author = { userId, username };
    const { id } = await this.posting.post({ roomId, author, draft: { content, cid: null, replyTo } });
    return id;
  }

  /** A reply in the thread of this root. */
  async reply(
    roomId: number,
    { id: userId, username }: UserRow,
    content: string,
    threadId: number,
  ): Promise<void> {
    const author = { userId, username };
    const draft = { content, cid: `reply ${++this.#replies}`, threadId };
    await this.posting.post({ roomId, author, draft });
  }

  /** Resolves when the consumer has stored that it has come to the end of the room. */
  async caughtUp(roomId: number): Promise<void> {
    for (;;) {
      const place = await this.store.consumerPlace({ name: NOTIFIER, roomId });
      if (place?.at === place?.head) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async listed({ id: userId }: UserRow): Promise<string[]> {
    const page = await this.inbox.page({ userId, limit: 50 });
    const { entries } = JSON.parse(page.toString()) as InboxPage;
    return entries.map(({ reason, message }) => `${reason}: ${message.content}`);
  }

  /** Why a message did or did not notify the user, in a few words. */
  async why(roomId: number, messageId: number, { id: userId }: UserRow): Promise<string> {
    const { reason, decision, detail } = await this.inbox.why({ roomId, messageId, userId });
    return [reason ?? 'none', decision, ...(detail ? [detail] : [])].join(' ');
  }

  async stop(): Promise<void> {
    await this.consumer.stop();
  }

  #newWaiting(): Waiting {
    return new Waiting({
      ...{ store: this.store, log: this.log, now: () => this.now },
      presence: { has: (_, userId) => this.online.has(userId) },
      sender: {
        send: async (userId, payload) => {
          const outcomes = await this.respond(userId);
          if (outcomes.length > 0) this.pushed.push({ userId, ...payload });
          return outcomes.map((outcome) => ({ endpoint: '', outcome }));
        },
      },
    });
  }

  #newConsumer(): LogConsumer {
    const { store, bus, waiting, log } = this;
    const now = () => this.now;
    const presence = { has: (_: number, userId: number) => this.online.has(userId) };
    const work = new Notifier({ store, bus, presence, waiting, now });
    return new LogConsumer(work, { store, bus, log, now, isShared: false });
  }
}

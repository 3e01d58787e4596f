/** A thread of a room that was entered: loaded by pages, and kept live by the log of the room. */
import type { Message } from '../../protocol/events.ts';
import type { ThreadPatch } from '../../protocol/rest/threads.ts';
import type { ThreadsApi } from '../api/threads-api.ts';
import type { Cancel } from '../clock.ts';
import type { NotificationEvents, Notifications } from '../notification-events.ts';
import type { Answers } from '../outbox/answers.ts';
import { ownMessage } from './own-message.ts';
import type { Room } from './room.ts';
import type { LogNews } from './room-listeners.ts';
import {
  follows,
  loadedThread,
  type ThreadState,
  withMessage,
  withNews,
  withOlder,
  withOwnMark,
} from './thread-state.ts';

/** Replies in one page. */
const PAGE = 50;
/** Replies in one page on the way to one of them. */
const REACH_PAGE = 200;

export interface ThreadOptions {
  readonly room: Room;
  readonly api: ThreadsApi;
  /** `ChatClient.notifications`: it says when the user follows the thread, or has read it on another device. */
  readonly notifications: Notifications;
  readonly threadId: number;
  /** Called after each change; `null`: the thread cannot be loaded. It is tried again at the next connection. */
  readonly onChange: (state: ThreadState | null) => void;
}

export class Thread {
  readonly #options: ThreadOptions;
  readonly #cancels: Cancel[];
  #state: ThreadState | null = null;
  /** What the log has brought while the latest page is on its way; null: none is. */
  #heard: LogNews[] | null = null;
  /** The same of the user's own log. */
  #ownMark: NotificationEvents['thread_follow'] | null = null;
  /** Up to where the user has read, while the server has not confirmed it. */
  #unsentMark: number | null = null;
  #isMissing = false;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#cancels = [
      options.room.on('log', (news) => this.#onLog(news)),
      options.notifications.on('thread_follow', (mark) => this.#onOwnMark(mark)),
      options.room.on('connection', ({ status }) => {
        if (status !== 'open') return;
        if (this.#state === null) void this.load();
        if (this.#unsentMark !== null) this.#sendMark(this.#unsentMark).catch(() => undefined);
      }),
    ];
    void this.load();
  }

  get state(): ThreadState | null {
    return this.#state;
  }

  /** Reads the latest page. Never rejects. */
  async load(): Promise<void> {
    if (this.#heard !== null || this.#isClosed) return;
    const { api, room, threadId, onChange } = this.#options;
    this.#heard = [];
    this.#ownMark = null;
    this.#isMissing = false;
    try {
      const page = await api.page(room.id, threadId, { limit: PAGE });
      const heard = this.#heard.filter(({ upTo }) => upTo > page.seq);
      this.#heard = null;
      if (this.#isClosed) return;
      // Something was skipped between the page and what was heard first.
      this.#isMissing = heard[0] !== undefined && heard[0].after > page.seq;
      room.addQuoted(page.quoted ?? []);
      const loaded = loadedThread(page, heard);
      this.#set(this.#ownMark === null ? loaded : withOwnMark(loaded, this.#ownMark));
      if (this.#isMissing) void this.load();
    } catch {
      this.#heard = null;
      if (!this.#isClosed) onChange(null);
    }
  }

  /** Reads the page before the first reply that is held. Rejects with an `ApiError`. */
  async loadOlder(limit = PAGE): Promise<void> {
    const first = this.#state?.messages[0];
    if (!this.#state?.hasOlder || first === undefined) return;
    const { api, room, threadId } = this.#options;
    const heard: LogNews[] = [];
    const cancel = room.on('log', (news) => heard.push(news));
    const page = await api.page(room.id, threadId, { limit, beforeId: first.id }).finally(cancel);
    room.addQuoted(page.quoted ?? []);
    if (this.#state && !this.#isClosed) this.#set(withOlder(this.#state, page, first.id, heard));
  }

  /** Reads older pages until this reply is held, or none is left. Rejects with an `ApiError`. */
  async reach(replyId: number): Promise<void> {
    for (;;) {
      const [first] = this.#state?.messages ?? [];
      if (!this.#state?.hasOlder || first === undefined || first.id <= replyId) return;
      await this.loadOlder(REACH_PAGE);
      if (this.#state?.messages[0] === first) return;
    }
  }

  /**
   * As `Room.send`. The reply is shown as soon as the server has it; until then it is in the outbox: `Room.pendingIn`.
   * Resolves with its id, or with null when it is not stored.
   */
  async send(content: string, { files }: Pick<Answers, 'files'> = {}): Promise<number | null> {
    const { room, threadId } = this.#options;
    const outcome = await room.send(content, { threadId, ...(files && { files }) });
    if (outcome.outcome !== 'stored') return null;
    if (this.#state === null) return outcome.id;
    const { id, seq, created_at, files: sent } = outcome;
    const place = { me: room.state.me, id, room_id: room.id, seq, created_at };
    const isHeld = this.#state.messages.some((message) => message.id === id);
    if (!isHeld) this.#set(withMessage(this.#state, ownMessage({ content, threadId, files: sent }, place)));
    return id;
  }

  /** Changes the title, or whether the thread is resolved. Rejects with an `ApiError`. */
  async change(patch: ThreadPatch): Promise<void> {
    const { api, room, threadId } = this.#options;
    const root: Message = await api.change(room.id, threadId, patch);
    if (this.#state) this.#set(withMessage(this.#state, root));
  }

  /** Rejects with an `ApiError`. */
  async setFollowing(on: boolean): Promise<void> {
    const { api, room, threadId } = this.#options;
    await api.setFollowing(room.id, threadId, on);
    if (this.#state) this.#set({ ...this.#state, following: on });
  }

  /**
   * The user has seen all replies that are held. Repeats do nothing. Rejects with an `ApiError`; the mark is then sent
   * again at the next connection.
   */
  async read(): Promise<void> {
    const last = this.#state?.messages.at(-1);
    if (!this.#state || last === undefined || last.seq <= this.#state.readSeq) return;
    this.#set({ ...this.#state, readSeq: last.seq });
    await this.#sendMark(last.seq);
  }

  /** Releases the thread. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
  }

  async #sendMark(seq: number): Promise<void> {
    const { api, room, threadId } = this.#options;
    this.#unsentMark = seq;
    await api.read(room.id, threadId, seq);
    if (this.#unsentMark === seq) this.#unsentMark = null;
  }

  #onLog(news: LogNews): void {
    this.#heard?.push(news);
    if (this.#state === null) return;
    if (!follows(this.#state, news)) void this.load();
    else this.#set(withNews(this.#state, news));
  }

  #onOwnMark(mark: NotificationEvents['thread_follow']): void {
    const { room, threadId } = this.#options;
    if (mark.room_id !== room.id || mark.thread_id !== threadId) return;
    this.#ownMark = mark;
    if (this.#state) this.#set(withOwnMark(this.#state, mark));
  }

  #set(state: ThreadState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onChange(state);
  }
}

/** A server with one room, and the network between it and a page: what it has stored, and what is on its way. */
import type { Message } from '../../protocol/events.ts';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import type { FlowPage, HistoryPage } from '../../protocol/rest/messages.ts';
import type { FlowQuery } from '../api/api.ts';
import type { Frame } from '../connection/frames.ts';
import type { RoomFrame } from '../room/room-frame.ts';
import { placeOf, type Stream } from '../room/stream.ts';
import { flowPage } from './flow-page.ts';
import { openedFrame } from './hello.ts';

export const ME = { id: 7, username: 'ann' };
const PAGE = 4;
const BATCH = 3;
/** Instead of 5 000: a run has a few dozen messages. */
const MAX_BEHIND = 8;
if (MAX_BEHIND >= RESUME_MAX_BEHIND) throw new Error('the model resumes more than the server does');

export class ModelServer {
  /** Each message in its present state. */
  log: Message[] = [];
  /** Frames on their way over the current connection; null without a connection. */
  line: RoomFrame[] | null = null;
  #epoch = 1;
  /** How far the events were delivered live; those after it were not announced. */
  #told = 0;
  /** The number of the latest event. */
  #head = 0;
  /** Events that are announced as a part of a message, by number. */
  #reactions = new Map<number, Frame<'reaction'>>();

  get epoch(): string {
    return `e${this.#epoch}`;
  }

  append(userId: number, cid: string | undefined, { isUnheard = false } = {}): Message {
    const seq = ++this.#head;
    const message: Message = {
      type: 'message',
      id: seq,
      room_id: 1,
      user_id: userId,
      username: userId === ME.id ? ME.username : 'bo',
      content: cid === undefined ? `m${seq}` : `own ${cid.slice(1)}`,
      created_at: new Date(seq).toISOString(),
      seq,
      ...(cid === undefined ? {} : { cid }),
    };
    this.log.push(message);
    if (!isUnheard) this.tell();
    return message;
  }

  /** Without an announcement, the next event tells of it. */
  edit(message: Message | undefined, { isUnheard = false } = {}): void {
    if (message === undefined) return;
    const edited = { ...message, content: `${message.content}!`, changed_seq: ++this.#head };
    this.log = this.log.map((one) => (one === message ? edited : one));
    if (!isUnheard) this.tell();
  }

  /** Somebody reacts to it, or takes that back. */
  react(message: Message | undefined): void {
    if (message === undefined) return;
    const changed_seq = ++this.#head;
    const user_id = 8 + (changed_seq % 2);
    const { reactions: [reaction] = [], ...rest } = message;
    const before = reaction?.user_ids ?? [];
    const on = !before.includes(user_id);
    const user_ids = on ? [...before, user_id] : before.filter((id) => id !== user_id);
    const count = user_ids.length;
    const reactions = count === 0 ? {} : { reactions: [{ emoji: '👍', count, user_ids }] };
    this.log = this.log.map((one) => (one === message ? { ...rest, ...reactions, changed_seq } : one));
    const { id } = message;
    this.#reactions.set(changed_seq, {
      ...{ type: 'reaction', room_id: 1, id, emoji: '👍', user_id, on, count, changed_seq },
    });
    this.tell();
  }

  /** Delivers what is in the log: after superseded numbers, in a batch. */
  tell(): void {
    for (const event of this.#after(this.#told)) {
      const place = placeOf(event);
      const isNext = place === this.#told + 1;
      const frame = this.#reactions.get(place) ?? event;
      this.line?.push(isNext ? frame : { type: 'batch', room_id: 1, events: [event] });
      this.#told = place;
    }
  }

  /** What has changed after this number, in the order of the log. */
  #after(place: number): Message[] {
    return this.log.filter((one) => placeOf(one) > place).sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** A page of the flow; null: there is no such message. */
  flow(query: FlowQuery): FlowPage | null {
    const page = flowPage(this.log, query, PAGE);
    return page && { ...page, epoch: this.epoch, seq: this.#head };
  }

  /** The last page of these. */
  page(messages: readonly Message[]): HistoryPage {
    const { epoch } = this;
    return { messages: messages.slice(-PAGE), has_more: messages.length > PAGE, epoch, seq: this.#head };
  }

  /** Opens the room for a page that has it up to there. */
  open(stream: Stream | null): void {
    const at = stream?.epoch === this.epoch ? { since: stream.seq } : null;
    const { epoch } = this;
    this.tell();
    const seq = this.#head;
    const behind = at === null ? 0 : seq - at.since;
    const resumed = at !== null && behind >= 0 && behind <= MAX_BEHIND;
    this.line = [{ ...openedFrame({ seq, resumed, users: [] }), epoch }];
    if (resumed) {
      const missed = this.#after(at.since);
      for (let i = 0; i < missed.length; i += BATCH) {
        this.line.push({ type: 'batch', room_id: 1, events: missed.slice(i, i + BATCH) });
      }
      this.line.push({ type: 'sync', room_id: 1, seq });
    } else if (at !== null) this.line.push({ type: 'reset', room_id: 1, seq, epoch });
  }

  /** A backup of a while ago takes the place of the database. */
  restore(): void {
    this.#epoch += 1;
    this.log = this.log.slice(0, -2).map(({ changed_seq: _, ...message }) => message);
    this.#head = this.log.at(-1)?.seq ?? 0;
    this.#told = this.#head;
    this.#reactions.clear();
  }
}

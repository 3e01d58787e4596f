/**
 * Checks what one connection receives of one room, by the rules of chatroom.v2. For a room that is open: `opened`, then
 * what was missed, in batches that leave out superseded numbers only, then sync or reset, then every message as it is
 * sent: by itself when its number is the next, and in a batch after superseded numbers. For a room that is not open:
 * heads without a gap. The notice of the user's own removal is followed by `gone`, and `gone` by nothing, until the
 * user is a member again. Every message must match what the database has at that moment.
 */

import { placeOf } from '../../client/room/stream.ts';
import type { Message } from '../../protocol/events.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { MessageRow } from '../../server/data/storage/store.ts';
import { toMessage } from '../../server/rules/message.ts';
import type { RoomLog } from './room-log.ts';

type Frame<Type extends ServerFrameV2['type']> = Extract<ServerFrameV2, { type: Type }>;
export type RoomFrame = Extract<ServerFrameV2, { room_id: number }> | (Frame<'error'> & { room_id: number });

/** Told: the notice of the user's removal has arrived. Gone: nothing of the room may arrive. */
type Phase = 'brief' | 'resuming' | 'resetting' | 'live' | 'told' | 'gone';

export interface RoomWitnessOptions {
  roomId: number;
  userId: number;
  /** The database that the connection is to, and the one that `start` named. */
  epoch: string;
  startEpoch: string | undefined;
  /** The room is private. */
  isMembersOnly: boolean;
  /** The process may know less of the room than the database has, because doorbells may be lost or late. */
  mayLag: boolean;
  /** What is durable. */
  log: RoomLog;
  violation: (text: string) => void;
}

export class RoomWitness {
  readonly #options: RoomWitnessOptions;
  #phase: Phase = 'brief';
  /** What the client has asked for and the server has not shown to know, in order. */
  readonly #asked: ({ since: number | undefined } | 'close')[] = [];
  /** The room was gone, which may leave what was asked before without a response. */
  #mayGoUnanswered = false;
  /** What was asked before the room was gone, and again afterwards; the server may respond to both. */
  #repeated: { since: number | undefined }[] = [];
  /** The number of the event that must come next, in an open room. */
  #next = 0;
  /** The head that the client knows of a room that is not open; null when it knows none. */
  #head: number | null = null;
  /** The head that the user's list had of the room last. The client has that one, too, while the room is open. */
  #listed = 0;

  constructor(options: RoomWitnessOptions) {
    this.#options = options;
  }

  sends(frame: ClientFrameV2): void {
    if (frame.type === 'open') {
      if (this.#mayGoUnanswered) this.#doubtOpens();
      this.#mayGoUnanswered = false;
      this.#asked.push({ since: frame.since });
    }
    if (frame.type === 'close') {
      this.#doubtOpens();
      this.#asked.push('close');
    }
  }

  /** What is being opened may stay without a response. */
  #doubtOpens(): void {
    for (const asked of this.#asked.splice(0)) {
      if (asked !== 'close') this.#repeated.push(asked);
    }
  }

  /** The client knows this head from an earlier connection. */
  knows(seq: number): void {
    this.#head = seq;
  }

  /** The room is on the user's list, with this head. */
  lists(seq: number): void {
    if (this.#phase === 'gone') {
      this.#phase = 'brief';
      this.#head = null;
      this.#listed = 0;
    }
    // A list that was read before the last head came takes nothing back.
    if (this.#phase === 'brief') this.#head = Math.max(this.#head ?? 0, seq);
    this.#listed = Math.max(this.#listed, seq);
    if (seq > this.#options.log.head) this.#wrong({ seq }, 'its head is not durable');
  }

  hear(frame: RoomFrame): void {
    if (frame.type === 'error') return this.#refused(frame);
    // An ack of a message from before the removal says only that.
    if (frame.type === 'ack') return this.#ack(frame);
    if (this.#phase === 'told' && frame.type !== 'gone')
      return this.#wrong(frame, 'it was told of its removal');
    // The user's log has states, and may repeat one.
    const mayCome = frame.type === 'opened' || frame.type === 'gone';
    if (this.#phase === 'gone' && !mayCome) return this.#wrong(frame, 'the room is gone');
    switch (frame.type) {
      case 'opened':
        return this.#opened(frame);
      case 'batch':
        if (this.#phase !== 'resuming' && this.#phase !== 'live')
          return this.#wrong(frame, 'this is not a resume, and not live');
        for (const message of frame.events) this.#message(message);
        return;
      case 'sync':
        if (this.#phase !== 'resuming' || frame.seq < this.#next - 1 || this.#isMissing(frame.seq + 1))
          this.#wrong(frame, `after ${this.#next - 1}`);
        this.#next = frame.seq + 1;
        return this.#becomes('live');
      case 'reset':
        if (this.#phase !== 'resetting' || frame.seq !== this.#next - 1)
          this.#wrong(frame, 'there is no reason');
        return this.#becomes('live');
      case 'message':
        if (this.#phase !== 'live') return this.#wrong(frame, 'it is not live');
        if (placeOf(frame) !== this.#next) return this.#wrong(frame, `${this.#next} comes next`);
        return this.#message(frame);
      case 'reaction':
        if (this.#phase !== 'live') return this.#wrong(frame, 'it is not live');
        return this.#reaction(frame);
      case 'head':
        return this.#headed(frame);
      case 'gone':
        this.#mayGoUnanswered = true;
        return this.#becomes('gone');
      case 'typing':
      case 'presence':
        if (this.#phase === 'brief') this.#wrong(frame, 'it is not open');
        return;
      case 'me':
        return;
    }
  }

  #becomes(phase: Phase): void {
    this.#phase = phase;
  }

  #opened(opened: Frame<'opened'>): void {
    const { epoch, startEpoch, mayLag } = this.#options;
    const canResumeAfter = (since: number | undefined) => {
      // No page in a simulation is too far behind to resume.
      const isAhead = mayLag && since !== undefined && since > opened.seq;
      return since !== undefined && (since === 0 || startEpoch === epoch) && !isAhead;
    };
    const front = this.#asked.find((asked) => asked !== 'close');
    const outstanding = [...(front ? [front] : []), ...this.#repeated];
    const asked = outstanding.find(({ since }) => canResumeAfter(since) === opened.resumed);
    if (outstanding.length === 0) return this.#wrong(opened, 'nobody opened it');
    if (!asked) return this.#wrong(opened, `it asked for ${outstanding[0]?.since} of ${startEpoch}`);
    if (asked === front) this.#asked.splice(0, this.#asked.indexOf(asked) + 1);
    else this.#repeated = this.#repeated.filter((other) => other !== asked);
    const { since = opened.seq } = asked;
    this.#becomes(opened.resumed ? 'resuming' : asked.since === undefined ? 'live' : 'resetting');
    this.#next = (opened.resumed ? since : opened.seq) + 1;
  }

  #message(message: Message): void {
    const { log, userId, isMembersOnly } = this.#options;
    const place = placeOf(message);
    if (place < this.#next || this.#isMissing(place)) return this.#wrong(message, `${this.#next} comes next`);
    this.#next = place + 1;
    const row = log.state(place);
    if (row === undefined) return this.#wrong(message, 'it is not durable');
    if (!isSame(message, toMessage(row))) this.#wrong(message, `the log has ${JSON.stringify(row)}`);
    // A batch has also what happened while the user was no member.
    if (this.#phase !== 'live') return;
    const before = log.rows.filter(({ seq }) => seq < message.seq);
    // The notice that adds the user may come after the room is open to them.
    const isTheirs = wasMember(before, userId) || wasMember([...before, row], userId);
    if (isMembersOnly && place === message.seq && !isTheirs)
      this.#wrong(message, 'its user had been removed');
    if (isRemovalOf(userId, message.notice)) this.#becomes('told');
  }

  #reaction(frame: Frame<'reaction'>): void {
    const { changed_seq: place, emoji, user_id: userId, on, count } = frame;
    if (place !== this.#next) return this.#wrong(frame, `${this.#next} comes next`);
    this.#next = place + 1;
    const row = this.#options.log.state(place);
    const reactions = (row?.id === frame.id && toMessage(row).reactions) || [];
    const held = reactions.find((one) => one.emoji === emoji);
    if ((held?.count ?? 0) !== count || (held?.user_ids.includes(userId) ?? false) !== on)
      this.#wrong(frame, `the log has ${JSON.stringify(row)}`);
  }

  /** Whether something is left out before this number. Events that later ones superseded may be. */
  #isMissing(place: number): boolean {
    return this.#options.log.hasBetween(this.#next - 1, place);
  }

  #headed(head: Frame<'head'>): void {
    // A room that was open knows everything that it received.
    if (this.#phase !== 'brief' && this.#asked[0] === 'close') {
      this.#asked.shift();
      this.#head = Math.max(this.#next - 1, this.#listed);
      this.#becomes('brief');
    }
    if (this.#phase !== 'brief') return this.#wrong(head, 'it is open');
    if (this.#head === null) return this.#wrong(head, 'it is not on the list');
    if (head.from > this.#head) this.#wrong(head, `${this.#head} is the last that is known`);
    const { log } = this.#options;
    if (head.seq > log.head || head.seq < head.from) this.#wrong(head, `the log ends at ${log.head}`);
    const texts = log.rows.filter(({ notice, seq }) => notice === null && seq > head.from && seq <= head.seq);
    const briefs = texts.map(({ seq, userId }) => `${seq} ${userId}`).join();
    if (head.texts && head.texts.map(([seq, userId]) => `${seq} ${userId}`).join() !== briefs)
      this.#wrong(head, `the texts are ${briefs}`);
    this.#head = Math.max(this.#head, head.seq);
  }

  #ack(ack: Frame<'ack'>): void {
    const row = this.#options.log.row(ack.seq);
    const isTrue = row?.id === ack.id && row.cid === ack.cid && row.userId === this.#options.userId;
    if (!isTrue) this.#wrong(ack, 'it is not durable');
  }

  /** A room that does not open, or a message that is refused. */
  #refused({ cid, code }: Frame<'error'>): void {
    // The last one: it is about what may be done in an open room alone.
    if (cid !== undefined || code === 'invalid_frame') return;
    while (this.#asked[0] === 'close') this.#asked.shift();
    this.#asked.shift();
    // A room that was open was closed to be opened anew.
    if (code === 'too_fast' || this.#phase === 'told' || this.#phase === 'gone') return;
    if (this.#phase !== 'brief') this.#head = Math.max(this.#next - 1, this.#listed);
    this.#becomes('brief');
  }

  #wrong(heard: object, why: string): void {
    const { roomId, violation } = this.#options;
    violation(`received ${JSON.stringify(heard)} of room ${roomId}, but ${why}`);
  }
}

/** Whether the user is a member after these rows. */
function wasMember(rows: readonly MessageRow[], userId: number): boolean {
  const last = rows.findLast(({ notice }) => {
    const { member } = JSON.parse(notice ?? '{}');
    return member?.user_id === userId;
  });
  return last === undefined || !/"kind":"(?:removed|left)"/.test(last.notice ?? '');
}

function isRemovalOf(userId: number, notice: Message['notice']): boolean {
  return notice?.kind === 'removed' && notice.member.user_id === userId;
}

function isSame(a: Message, b: Message): boolean {
  return (
    a.id === b.id &&
    a.user_id === b.user_id &&
    a.room_id === b.room_id &&
    a.username === b.username &&
    a.created_at === b.created_at &&
    a.cid === b.cid &&
    JSON.stringify(a.notice) === JSON.stringify(b.notice) &&
    textOf(a) === textOf(b)
  );
}

/** A message, and what has been made of it since it was said. */
export function textOf({ id, content, revision, edited_at, deleted_at, ...message }: Message): string {
  const { deleted_by, pinned_at, reactions } = message;
  return JSON.stringify({ id, content, revision, edited_at, deleted_at, deleted_by, pinned_at, reactions });
}

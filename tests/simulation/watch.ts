/** Checks that the promises are kept: at every frame, at every change of what a page shows, and at the end. */

import { OTHER_DATABASE, type Outcome } from '../../client/outbox/outcome.ts';
import type { Room } from '../../client/room/room.ts';
import type { RoomState } from '../../client/room/room-state.ts';
import type { Message } from '../../protocol/events.ts';
import type { ServerFrameOneRoom } from '../../protocol/frames/one-room.ts';
import type { User } from '../../protocol/rest/accounts.ts';
import type { MessageRow } from '../../server/storage/store.ts';
import { describeFrame } from './describe-frame.ts';
import type { Disk } from './disk.ts';
import type { OutboxDisk } from './outbox-disk.ts';
import type { Witness } from './page-socket.ts';
import { Told } from './told.ts';
import { WireWitness } from './wire-witness.ts';
import type { Owner, World } from './world.ts';

/** The part of a page that the watch reads. */
export interface WatchedPage {
  readonly owner: Owner;
  readonly user: User;
  readonly outbox: OutboxDisk;
  readonly rooms: ReadonlyMap<number, Room | null>;
}

/** A message that a user sent. */
export interface Sent {
  readonly roomId: number;
  readonly userId: number;
  readonly text: string;
  /** The page, and the database that its author saw; null for v1, which promises nothing. */
  readonly from: {
    readonly owner: Owner;
    readonly room: Room;
    readonly isShared: boolean;
    readonly epoch: string | null;
  } | null;
  outcome?: Outcome;
  /** The disk that had it when its sender got the ack. */
  storedOn?: Disk;
}

interface Acked {
  readonly disk: Disk;
  readonly roomId: number;
  readonly cid: string;
  readonly id: number;
  readonly seq: number;
}

/** The fields that identify a message. */
type Placed = Pick<Message, 'room_id' | 'seq' | 'id' | 'content'>;

type Wrong = (text: string) => void;

export class Watch {
  /** Every state of the database, by epoch; the last one is current. */
  readonly #disks = new Map<string, Disk>();
  readonly #world: World;
  readonly #mayLag: boolean;
  /** By text, which is unique. */
  readonly #sent = new Map<string, Sent>();
  readonly #acked: Acked[] = [];
  /** The texts that `resent` was called with. */
  readonly #resent = new Set<string>();
  /** By page and room, since the page last entered the room. */
  readonly #told = new Map<string, Told>();
  #disk: Disk;

  /** With `mayLag`, doorbells may be lost or late. */
  constructor(world: World, disk: Disk, mayLag: boolean) {
    this.#world = world;
    this.#mayLag = mayLag;
    this.#disk = disk;
    this.begins(disk);
  }

  get acks(): number {
    return this.#acked.length;
  }

  /** The database starts from this disk, under another epoch. */
  begins(disk: Disk): void {
    this.#disk = disk;
    this.#disks.set(disk.epoch, disk);
  }

  /** The simulation has ended. */
  close(): void {
    for (const disk of this.#disks.values()) disk.close();
  }

  sent(sent: Sent): Sent {
    this.#sent.set(sent.text, sent);
    return sent;
  }

  /** Its author decided to send it to the current database. */
  resent(text: string): void {
    this.#resent.add(text);
  }

  settled(sent: Sent, outcome: Outcome): void {
    sent.outcome = outcome;
    if (outcome.outcome !== 'stored') return;
    const storedOn = this.#whereStored({ ...outcome, room_id: sent.roomId, content: sent.text });
    if (storedOn) sent.storedOn = storedOn;
    else this.#world.violation(`${sent.text} is reported as stored with seq ${outcome.seq}, and is not`);
  }

  /** Whether every live page knows the outcome of everything that it sent. */
  get areOutcomesKnown(): boolean {
    return [...this.#sent.values()].every(
      ({ from, outcome }) => !from?.owner.isAlive || outcome !== undefined,
    );
  }

  /** Whether the database has it, in its current epoch or an earlier one. */
  isStored(message: Message): boolean {
    return this.#whereStored(message) !== undefined;
  }

  /** A connection to this address is being opened. */
  connection({ owner, user: { id: userId } }: WatchedPage, url: string): Witness {
    const { searchParams } = new URL(url);
    const roomId = Number(searchParams.get('room_id'));
    const told = this.#told.get(placeOf(owner, roomId));
    const since = searchParams.get('since');
    const witness = new WireWitness({
      ...{ roomId, userId, since: since === null ? null : Number(since), epoch: searchParams.get('epoch') },
      mayLag: this.#mayLag,
      history: (epoch) => this.#disks.get(epoch)?.messages(roomId) ?? [],
      violation: (text) => this.#world.violation(text),
    });
    return (frame) => {
      const known = frame as ServerFrameOneRoom;
      if (this.#world.trace) this.#world.note(`  room ${roomId} ${describeFrame(known)}`);
      if (known.type === 'ack') {
        const { cid, id, seq } = known;
        const disk = this.#disks.get(witness.epoch) ?? this.#disk;
        this.#acked.push({ disk, roomId, cid, id, seq });
      }
      witness.hear(known);
      told?.hears(known);
    };
  }

  /** A page has entered a room. */
  entered(owner: Owner, room: Room): void {
    const wrong: Wrong = (text) => this.#world.violation(`${owner.name} in room ${room.id}: ${text}`);
    let shown: RoomState | null = null;
    room.on('state', (state) => {
      if (state.messages !== shown?.messages) this.#judgeShown(state, wrong);
      checkOwn(state, wrong);
      shown = state;
    });
    const isStored = (message: Message, epoch: string) => isOn(this.#disks.get(epoch), message);
    const told = new Told({ isStored, wrong });
    this.#told.set(placeOf(owner, room.id), told);
    room.on('message', (message) => told.message(message));
    room.on('reset', () => told.reset());
  }

  /** Checks what must hold when all faults have ended and everything is sent and delivered. */
  checkEnd(roomIds: readonly number[], pages: readonly WatchedPage[]): void {
    for (const roomId of roomIds) this.#checkHistory(roomId);
    for (const { disk, roomId, id, seq, cid } of this.#acked) {
      const row = disk.messages(roomId)[seq - 1];
      if (row?.id !== id || row.cid !== cid)
        this.#world.violation(`acked and lost: ${cid} with seq ${seq} in room ${roomId}`);
    }
    const stored = new Set(
      roomIds.flatMap((roomId) => this.#disk.messages(roomId).map(({ content }) => content)),
    );
    const saved = new Set(pages.flatMap((page) => [...page.outbox.saved]));
    for (const sent of this.#sent.values()) this.#judgeFate(sent, stored, saved);
    for (const { owner, rooms } of pages) {
      for (const roomId of rooms.keys())
        this.#told.get(placeOf(owner, roomId))?.checkEnd(this.#disk.messages(roomId).length);
    }
  }

  /** Checks that a page that has loaded everything shows the whole history. */
  checkWhole(page: WatchedPage, room: Room): void {
    const shown = room.state.messages.map(({ id }) => id).join();
    const stored = this.#disk
      .messages(room.id)
      .map(({ id }) => id)
      .join();
    if (shown !== stored)
      this.#world.violation(`${page.owner.name} shows ${shown} of ${stored} in room ${room.id}`);
  }

  #whereStored(message: Placed): Disk | undefined {
    return [...this.#disks.values()].findLast((disk) => isOn(disk, message));
  }

  #judgeShown({ messages, head, epoch }: RoomState, wrong: Wrong): void {
    // Messages of another epoch are replaced by the next page of history.
    const history = head !== null && epoch === this.#disk.epoch ? this.#disk : null;
    for (const [index, message] of messages.entries()) {
      const before = messages[index - 1];
      if (before !== undefined && message.seq !== before.seq + 1)
        wrong(`shows ${message.seq} after ${before.seq}`);
      const row = history?.messages(message.room_id)[message.seq - 1];
      if (history && (row?.id !== message.id || row.content !== message.content))
        wrong(`shows ${JSON.stringify(message)}`);
    }
    const last = messages.at(-1)?.seq;
    if (head !== null && last !== undefined && last !== head) wrong(`shows ${last}, and its head is ${head}`);
  }

  #judgeFate(sent: Sent, stored: ReadonlySet<string>, saved: ReadonlySet<string>): void {
    const { text, from, outcome, storedOn } = sent;
    // A message that the backup does not have is gone: its sender had the ack, and does not send it again.
    const isRestored = this.#disks.size > 1;
    if (from === null) return;
    // A message that was written for an earlier database waits for its author's decision.
    if (isRestored && outcome?.outcome === 'refused' && outcome.code === OTHER_DATABASE) return;
    const isTrackable = from.owner.isAlive && !from.isShared;
    if (isRestored && (storedOn === undefined ? !isTrackable : storedOn !== this.#disk)) return;
    if ((from.owner.isAlive || saved.has(text)) && !stored.has(text))
      this.#world.violation(`${text} was sent and is not stored`);
    if (from.owner.isAlive && outcome?.outcome !== 'stored')
      this.#world.violation(`the sender does not know that ${text} is stored: ${JSON.stringify(outcome)}`);
  }

  /** Checks that live order is history order, and that each message is there once and was sent. */
  #checkHistory(roomId: number): void {
    const texts = new Set<string>();
    let before: MessageRow | undefined;
    for (const [index, row] of this.#disk.messages(roomId).entries()) {
      const sent = this.#sent.get(row.content);
      const isNext =
        row.seq === index + 1 && row.id > (before?.id ?? 0) && row.createdAt >= (before?.createdAt ?? 0);
      if (!isNext)
        this.#world.violation(`out of order: ${JSON.stringify(row)} after ${JSON.stringify(before)}`);
      if (texts.has(row.content)) this.#world.violation(`stored twice: ${JSON.stringify(row)}`);
      const isOld = row.content.startsWith('long ago');
      if (!isOld && (sent?.roomId !== roomId || sent.userId !== row.userId))
        this.#world.violation(`nobody sent ${JSON.stringify(row)}`);
      const wasFor = sent?.from?.epoch ?? null;
      const isStray = wasFor !== null && wasFor !== this.#disk.epoch && !this.#resent.has(row.content);
      if (isStray && !isOn(this.#disks.get(wasFor), { ...row, room_id: roomId }))
        this.#world.violation(`written for ${wasFor}, stored in ${this.#disk.epoch}: ${JSON.stringify(row)}`);
      texts.add(row.content);
      before = row;
    }
  }
}

function placeOf(owner: Owner, roomId: number): string {
  return `${owner.name} in ${roomId}`;
}

function isOn(disk: Disk | undefined, { room_id, seq, id, content }: Placed): boolean {
  const row = disk?.messages(room_id)[seq - 1];
  return row?.id === id && row.content === content;
}

/** Checks that an own message is shown once: pending, acked, or in its place. */
function checkOwn({ me, messages, acked, pending }: RoomState, wrong: Wrong): void {
  if (acked.length === 0 && pending.length === 0) return;
  const seen = new Set<string>();
  const own = messages.filter(({ user_id }) => user_id === me.id);
  for (const { cid } of [...own, ...acked, ...pending]) {
    if (cid === undefined) continue;
    if (seen.has(cid)) wrong(`shows ${cid} twice`);
    seen.add(cid);
  }
}

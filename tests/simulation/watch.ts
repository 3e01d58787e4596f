/** Checks that the promises are kept: at every frame, at every change of what a page shows, and at the end. */

import type { Outcome } from '../../client/outbox/outcome.ts';
import type { Room } from '../../client/room/room.ts';
import type { RoomState } from '../../client/room/room-state.ts';
import { placeOf as placeOfEvent } from '../../client/room/stream.ts';
import type { RoomsState } from '../../client/rooms/rooms-state.ts';
import type { Message } from '../../protocol/events.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { User } from '../../protocol/rest/accounts.ts';
import type { MessageRow } from '../../server/data/storage/store.ts';
import { toMessage } from '../../server/rules/message.ts';
import { describeFrame } from './describe-frame.ts';
import type { Disk } from './disk.ts';
import { checkDms, checkInvite, isOfOthers } from './encounter-check.ts';
import { type EphemeralChecks, EphemeralWitness } from './ephemeral-witness.ts';
import { Fates, type Placed, type Sent } from './fates.ts';
import { Guests } from './guest-check.ts';
import { LineWitness } from './line-witness.ts';
import { checkList, isMember, wasShutOut } from './list-check.ts';
import type { OutboxDisk } from './outbox-disk.ts';
import { checkOwn } from './own-check.ts';
import type { Witness } from './page-socket.ts';
import { checkRemoved } from './removed-check.ts';
import { textOf } from './room-witness.ts';
import { Told } from './told.ts';
import type { Owner, World } from './world.ts';

/** The part of a page that the watch reads. */
export interface WatchedPage {
  readonly owner: Owner;
  readonly user: User;
  readonly outbox: OutboxDisk;
  readonly rooms: ReadonlyMap<number, Room | null>;
  readonly list: RoomsState | null;
}

interface Acked {
  readonly disk: Disk;
  readonly roomId: number;
  readonly cid: string;
  readonly id: number;
  readonly seq: number;
}

type Wrong = (text: string) => void;

export interface WatchOptions {
  world: World;
  disk: Disk;
  /** Doorbells may be lost or late. */
  mayLag: boolean;
  isMembersOnly: (roomId: number) => boolean;
  /** How many users the room's invitation lets in. */
  inviteUses: (roomId: number) => number;
  ephemeral: EphemeralChecks;
  /** The rooms of the plan. */
  roomIds: readonly number[];
}

export class Watch {
  /** Every state of the database, by epoch; the last one is current. */
  readonly #disks = new Map<string, Disk>();
  readonly #options: WatchOptions;
  readonly #world: World;
  readonly #fates: Fates;
  readonly #acked: Acked[] = [];
  /** By page and room, since the page last entered the room. */
  readonly #told = new Map<string, Told>();
  /** Of the latest connection of each page. */
  readonly #ephemeral = new Map<Owner, EphemeralWitness>();
  readonly guests: Guests;
  #disk: Disk;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#world = options.world;
    this.#disk = options.disk;
    this.#fates = new Fates({
      violation: (text) => this.#world.violation(text),
      whereStored: (message) => this.#whereStored(message),
    });
    this.guests = new Guests({
      disk: () => this.#disk,
      roomIds: () => options.roomIds,
      violation: (text) => this.#world.violation(text),
    });
    this.begins(options.disk);
  }

  get acks(): number {
    return this.#acked.length;
  }

  /** Whether the database has ever lost something. */
  get isRestored(): boolean {
    return this.#disks.size > 1;
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
    return this.#fates.sent(sent);
  }

  /** Its author decided to send it to the current database. */
  resent(text: string): void {
    this.#fates.resent(text);
  }

  settled(sent: Sent, outcome: Outcome): void {
    this.#fates.settled(sent, outcome);
  }

  /** Whether every live page knows the outcome of everything that it sent. */
  get areOutcomesKnown(): boolean {
    return this.#fates.areKnown;
  }

  /** Whether the database has it, in its current epoch or an earlier one. */
  isStored(message: Message): boolean {
    return this.#whereStored(message) !== undefined;
  }

  /** Whether it is the first text after this number. */
  isNextText(seq: number, message: Message): boolean {
    const rows = this.#whereStored(message)?.log(message.room_id).rows ?? [];
    const between = rows.filter((row) => row.seq > seq && row.seq < message.seq);
    return message.seq > seq && between.every(({ notice }) => notice !== null);
  }

  /** A page is opening a connection. */
  connection({ owner, user: { id: userId } }: WatchedPage): Witness {
    const { mayLag, isMembersOnly } = this.#options;
    const witness = new LineWitness({
      ...{ userId, mayLag, isMembersOnly },
      log: (epoch, roomId) => (this.#disks.get(epoch) ?? this.#disk).log(roomId),
      violation: (text) => this.#world.violation(`${owner.name} ${text}`),
    });
    const ephemeral = this.#ephemeralWitness(owner);
    return {
      ends: () => ephemeral.ends(),
      sends: (frame) => {
        const known = frame as ClientFrameV2;
        if (this.#world.trace) this.#world.note(`  > ${describeFrame(known)}`);
        witness.sends(known);
        ephemeral.sends(known);
      },
      hear: (frame) => {
        const known = frame as ServerFrameV2;
        if (this.#world.trace) this.#world.note(`  < ${describeFrame(known)}`);
        witness.hear(known);
        ephemeral.hear(known);
        if (!('room_id' in known) || known.room_id === undefined) return;
        const { room_id: roomId } = known;
        this.#checkGuest(known, roomId, { userId, epoch: witness.epoch });
        if (isOfOthers(this.#disks.get(witness.epoch), { type: known.type, roomId }, userId))
          this.#world.violation(`${owner.name} received ${known.type} of room ${roomId}, which is of others`);
        if (known.type === 'ack') {
          const { cid, id, seq } = known;
          this.#acked.push({ disk: this.#disks.get(witness.epoch) ?? this.#disk, roomId, cid, id, seq });
        }
        this.#told.get(placeOf(owner, roomId))?.hears({ ...known, room_id: roomId }, witness.epoch);
      },
    };
  }

  /** A process that may not have heard of the change is not held to it before the end. */
  #checkGuest(
    frame: ServerFrameV2,
    roomId: number,
    { userId, epoch }: { userId: number; epoch: string },
  ): void {
    if (this.#options.mayLag || epoch !== this.#disk.epoch) return;
    const events = frame.type === 'batch' ? frame.events : [];
    const places = frame.type === 'message' ? [placeOfEvent(frame)] : events.map(placeOfEvent);
    if (frame.type === 'reaction') places.push(frame.changed_seq);
    if (frame.type === 'head' || frame.type === 'opened') places.push(frame.seq);
    for (const place of places) this.guests.hears(userId, { roomId, place });
  }

  #ephemeralWitness(owner: Owner): EphemeralWitness {
    const { ephemeral, world } = this.#options;
    this.#ephemeral.get(owner)?.ends();
    const witness = new EphemeralWitness(world, ephemeral, (text) => {
      world.violation(`${owner.name} ${text}`);
    });
    this.#ephemeral.set(owner, witness);
    return witness;
  }

  /** A page has entered a room. */
  entered(owner: Owner, room: Room): void {
    const wrong: Wrong = (text) => this.#world.violation(`${owner.name} in room ${room.id}: ${text}`);
    let shown: RoomState | null = null;
    room.on('state', (state) => {
      if (state.messages !== shown?.messages) this.#checkShown(state, wrong);
      checkOwn(state, wrong);
      shown = state;
    });
    const isStored = (message: Message, epoch: string) => isOn(this.#disks.get(epoch), message);
    const told = new Told({
      isStored,
      log: (epoch) => (this.#disks.get(epoch) ?? this.#disk).log(room.id),
      wrong,
    });
    this.#told.set(placeOf(owner, room.id), told);
    room.on('message', (message) => told.message(message));
    room.on('notice', (notice) => told.message(notice));
    room.on('reset', () => told.reset());
  }

  /** Checks what must hold when all faults have ended and everything is sent and delivered. */
  checkEnd(roomIds: readonly number[], pages: readonly WatchedPage[]): void {
    const wrong: Wrong = (text) => this.#world.violation(text);
    for (const roomId of roomIds) {
      this.#checkHistory(roomId);
      const { isMembersOnly, inviteUses } = this.#options;
      const invite = { disk: this.#disk, roomId, uses: inviteUses(roomId) };
      if (isMembersOnly(roomId)) checkInvite(invite, wrong);
    }
    checkDms(this.#disk, wrong);
    checkRemoved(this.#disk, wrong);
    for (const { disk, roomId, id, seq, cid } of this.#acked) {
      const row = disk.log(roomId).row(seq);
      if (row?.id !== id || row.cid !== cid)
        this.#world.violation(`acked and lost: ${cid} with seq ${seq} in room ${roomId}`);
    }
    this.#fates.checkEnd({
      disk: this.#disk,
      isRestored: this.isRestored,
      stored: new Set(roomIds.flatMap((roomId) => this.#disk.log(roomId).rows.map(({ content }) => content))),
      saved: new Set(pages.flatMap((page) => [...page.outbox.saved])),
      wasShutOut: (roomId, userId) =>
        [...this.#disks.values()].some(
          (disk) =>
            // A restored database may lack a direct conversation, and later give its id to another.
            (this.isRestored && disk.dms.has(roomId)) ||
            this.guests.wasOne(userId) ||
            wasShutOut(disk.log(roomId).rows, userId) ||
            (this.#options.isMembersOnly(roomId) && !isMember(disk, roomId, userId)),
        ),
    });
    for (const { owner, user, rooms, list } of pages) {
      this.#ephemeral.get(owner)?.checkEnd();
      for (const roomId of rooms.keys())
        this.#told.get(placeOf(owner, roomId))?.checkEnd(this.#disk.log(roomId));
      checkList({ disk: this.#disk, roomIds, userId: user.id, list }, (text) =>
        this.#world.violation(`${owner.name}: ${text}`),
      );
    }
  }

  /** Checks that a page that has loaded everything shows the whole log, texts and notices. */
  checkWhole(page: WatchedPage, room: Room): void {
    const { rows } = this.#disk.log(room.id);
    const shown = room.state.messages.map(textOf).join();
    const stored = rows.map((row) => textOf(toMessage(row))).join();
    if (shown !== stored)
      this.#world.violation(`${page.owner.name} shows ${shown} of ${stored} in room ${room.id}`);
  }

  #whereStored(message: Placed): Disk | undefined {
    return [...this.#disks.values()].findLast((disk) => isOn(disk, message));
  }

  #checkShown({ roomId, messages, head, epoch }: RoomState, wrong: Wrong): void {
    // Messages of another epoch are replaced by the next page of history.
    if (head === null || epoch !== this.#disk.epoch) return;
    const log = this.#disk.log(roomId);
    let before: Message | undefined;
    for (const message of messages) {
      const row = log.row(message.seq);
      if (before !== undefined && (message.seq <= before.seq || log.hasRowBetween(before.seq, message.seq)))
        wrong(`shows ${message.seq} after ${before.seq}`);
      // What has changed after the head is shown as it was, or as it is.
      const isKnown =
        row?.id === message.id && (row.changedSeq > head || textOf(toMessage(row)) === textOf(message));
      if (!isKnown) wrong(`shows ${JSON.stringify(message)}, its head is ${head}`);
      before = message;
    }
    if (before !== undefined && log.hasRowBetween(before.seq, head + 1))
      wrong(`shows ${before.seq}, and its head is ${head}`);
  }

  /** Checks that live order is history order, and that each message is there once and was sent. */
  #checkHistory(roomId: number): void {
    const texts = new Set<string>();
    let before: MessageRow | undefined;
    const log = this.#disk.log(roomId);
    for (let place = 1; place <= log.head; place++)
      if (log.state(place) === undefined) this.#world.violation(`${place} is missing in room ${roomId}`);
    for (const row of log.rows) {
      const isNext = row.id > (before?.id ?? 0) && row.createdAt >= (before?.createdAt ?? 0);
      if (!isNext)
        this.#world.violation(`out of order: ${JSON.stringify(row)} after ${JSON.stringify(before)}`);
      before = row;
      if (row.notice !== null || row.facts?.deletedAt) continue;
      if (texts.has(row.content)) this.#world.violation(`stored twice: ${JSON.stringify(row)}`);
      texts.add(row.content);
      this.#checkSent(row);
    }
  }

  #checkSent(row: MessageRow): void {
    const { roomId, content } = row;
    const sent = this.#fates.find(content);
    const isOld = content.startsWith('long ago');
    if (!isOld && (sent?.roomId !== roomId || sent.userId !== row.userId))
      this.#world.violation(`nobody sent ${JSON.stringify(row)}`);
    const wasFor = sent?.from?.epoch ?? null;
    const isStray = wasFor !== null && wasFor !== this.#disk.epoch && !this.#fates.isResent(content);
    if (isStray && !isOn(this.#disks.get(wasFor), { ...row, room_id: roomId }))
      this.#world.violation(`written for ${wasFor}, stored in ${this.#disk.epoch}: ${JSON.stringify(row)}`);
  }
}

function placeOf(owner: Owner, roomId: number): string {
  return `${owner.name} in ${roomId}`;
}

function isOn(disk: Disk | undefined, { room_id, seq, id, content }: Placed): boolean {
  const row = disk?.log(room_id).row(seq);
  return row?.id === id && (row.changedSeq !== seq || row.content === content);
}

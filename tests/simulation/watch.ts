/** Watches that the promises are kept: at every frame, at every change of what a page shows, and at the end. */

import { OTHER_DATABASE, type Outcome } from '../../client/outbox/outcome.ts';
import type { Room } from '../../client/room/room.ts';
import type { RoomState } from '../../client/room/room-state.ts';
import type { Message } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { User } from '../../protocol/rest.ts';
import type { MessageRow } from '../../server/storage/store.ts';
import { describeFrame } from './describe-frame.ts';
import type { Disk } from './disk.ts';
import type { OutboxDisk } from './outbox-disk.ts';
import type { Witness } from './page-socket.ts';
import { Told } from './told.ts';
import { WireWitness } from './wire-witness.ts';
import type { Owner, World } from './world.ts';

/** A page, as far as its promises are watched. */
export interface WatchedPage {
  readonly owner: Owner;
  readonly user: User;
  readonly outbox: OutboxDisk;
  readonly rooms: ReadonlyMap<number, Room | null>;
}

/** Something that somebody said. */
export interface Sent {
  readonly roomId: number;
  readonly userId: number;
  readonly text: string;
  /** The page, and the database that its author saw; null: the old protocol, which promises nothing. */
  readonly from: {
    readonly owner: Owner;
    readonly room: Room;
    readonly isShared: boolean;
    readonly epoch: string | null;
  } | null;
  outcome?: Outcome;
  /** Where it was when it was said to be stored. */
  storedOn?: Disk;
}

interface Acked {
  readonly disk: Disk;
  readonly roomId: number;
  readonly cid: string;
  readonly id: number;
  readonly seq: number;
}

/** What tells a message from any other. */
type Placed = Pick<Message, 'room_id' | 'seq' | 'id' | 'content'>;

type Wrong = (text: string) => void;

export class Watch {
  /** Each life of the database, by its epoch; the last one is the present. */
  readonly #disks = new Map<string, Disk>();
  readonly #world: World;
  readonly #mayLag: boolean;
  /** By text: everything that is said is said once. */
  readonly #sent = new Map<string, Sent>();
  readonly #acked: Acked[] = [];
  /** By text: see `resent`. */
  readonly #resent = new Set<string>();
  /** By page and room: of the last time that it was entered. */
  readonly #told = new Map<string, Told>();
  #disk: Disk;

  /** `mayLag`: doorbells may be lost or late. */
  constructor(world: World, disk: Disk, mayLag: boolean) {
    this.#world = world;
    this.#mayLag = mayLag;
    this.#disk = disk;
    this.begins(disk);
  }

  get acks(): number {
    return this.#acked.length;
  }

  /** Another life of the database begins. */
  begins(disk: Disk): void {
    this.#disk = disk;
    this.#disks.set(disk.epoch, disk);
  }

  sent(sent: Sent): Sent {
    this.#sent.set(sent.text, sent);
    return sent;
  }

  /** Its author wants it sent into the database of now. */
  resent(text: string): void {
    this.#resent.add(text);
  }

  settled(sent: Sent, outcome: Outcome): void {
    sent.outcome = outcome;
    if (outcome.outcome !== 'stored') return;
    const storedOn = this.#whereStored({ ...outcome, room_id: sent.roomId, content: sent.text });
    if (storedOn) sent.storedOn = storedOn;
    else this.#world.violation(`${sent.text} is said to be stored as ${outcome.seq}, and is not`);
  }

  /** Whether everybody who lives has been told what became of what they said. */
  get isEverybodyTold(): boolean {
    return [...this.#sent.values()].every(
      ({ from, outcome }) => !from?.owner.isAlive || outcome !== undefined,
    );
  }

  /** Whether the database holds it, in its present life or an earlier one. */
  isStored(message: Message): boolean {
    return this.#whereStored(message) !== undefined;
  }

  /** A connection is being made to that address. */
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
      const known = frame as ServerFrameV2;
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
      judgeOwn(state, wrong);
      shown = state;
    });
    const isStored = (message: Message, epoch: string) => isOn(this.#disks.get(epoch), message);
    const told = new Told({ isStored, wrong });
    this.#told.set(placeOf(owner, room.id), told);
    room.on('message', (message) => told.message(message));
    room.on('reset', () => told.reset());
  }

  /** What must be so when nothing goes wrong any more, everything is sent, and all have heard everything. */
  judgeEnd(roomIds: readonly number[], pages: readonly WatchedPage[]): void {
    for (const roomId of roomIds) this.#judgeHistory(roomId);
    for (const { disk, roomId, id, seq, cid } of this.#acked) {
      const row = disk.messages(roomId)[seq - 1];
      if (row?.id !== id || row.cid !== cid)
        this.#world.violation(`acked and lost: ${cid} as ${seq} in room ${roomId}`);
    }
    const stored = new Set(
      roomIds.flatMap((roomId) => this.#disk.messages(roomId).map(({ content }) => content)),
    );
    const saved = new Set(pages.flatMap((page) => [...page.outbox.saved]));
    for (const sent of this.#sent.values()) this.#judgeFate(sent, stored, saved);
    for (const { owner, rooms } of pages) {
      for (const roomId of rooms.keys())
        this.#told.get(placeOf(owner, roomId))?.judgeEnd(this.#disk.messages(roomId).length);
    }
  }

  /** A page that has loaded everything has all there is. */
  judgeWhole(page: WatchedPage, room: Room): void {
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
    // What is of another life is replaced by the next page of history.
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
    if (head !== null && last !== undefined && last !== head)
      wrong(`shows ${last}, believes to be at ${head}`);
  }

  #judgeFate(sent: Sent, stored: ReadonlySet<string>, saved: ReadonlySet<string>): void {
    const { text, from, outcome, storedOn } = sent;
    // What a backup did not have is gone, and who had heard that it was stored does not send it again.
    const isRestored = this.#disks.size > 1;
    if (from === null) return;
    // A message that was written for an earlier database waits for its author's decision.
    if (isRestored && outcome?.outcome === 'refused' && outcome.code === OTHER_DATABASE) return;
    const isTrackable = from.owner.isAlive && !from.isShared;
    if (isRestored && (storedOn === undefined ? !isTrackable : storedOn !== this.#disk)) return;
    if ((from.owner.isAlive || saved.has(text)) && !stored.has(text))
      this.#world.violation(`${text} was said and is nowhere`);
    if (from.owner.isAlive && outcome?.outcome !== 'stored')
      this.#world.violation(`nobody was told that ${text} is stored: ${JSON.stringify(outcome)}`);
  }

  /** Live order is history order, each message is there once, and none that nobody said. */
  #judgeHistory(roomId: number): void {
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
        this.#world.violation(`nobody said ${JSON.stringify(row)}`);
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

/** An own message is seen once: pending, acked, or in its place. */
function judgeOwn({ me, messages, acked, pending }: RoomState, wrong: Wrong): void {
  if (acked.length === 0 && pending.length === 0) return;
  const seen = new Set<string>();
  const own = messages.filter(({ user_id }) => user_id === me.id);
  for (const { cid } of [...own, ...acked, ...pending]) {
    if (cid === undefined) continue;
    if (seen.has(cid)) wrong(`shows ${cid} twice`);
    seen.add(cid);
  }
}

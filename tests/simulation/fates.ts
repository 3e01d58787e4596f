/** What became of every text that a user sent: stored once, known to its sender, or refused for a reason. */
import { OTHER_DATABASE, type Outcome } from '../../client/outbox/outcome.ts';
import type { Room } from '../../client/room/room.ts';
import type { Message } from '../../protocol/events.ts';
import type { Disk } from './disk.ts';
import type { Owner } from './world.ts';

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

/** The fields that identify a message. */
export type Placed = Pick<Message, 'room_id' | 'seq' | 'id' | 'content'>;

export interface FatesOptions {
  violation: (text: string) => void;
  /** The latest database that has the message. */
  whereStored: (message: Placed) => Disk | undefined;
}

export interface Ending {
  disk: Disk;
  isRestored: boolean;
  /** The texts that the database has, and those that outboxes ever had. */
  stored: ReadonlySet<string>;
  saved: ReadonlySet<string>;
  /** Whether the user was ever refused the room: then a message may be, too. */
  wasShutOut: (roomId: number, userId: number) => boolean;
}

export class Fates {
  readonly #options: FatesOptions;
  /** By text, which is unique. */
  readonly #sent = new Map<string, Sent>();
  /** The texts whose author decided to send them to the current database. */
  readonly #resent = new Set<string>();

  constructor(options: FatesOptions) {
    this.#options = options;
  }

  find(text: string): Sent | undefined {
    return this.#sent.get(text);
  }

  isResent(text: string): boolean {
    return this.#resent.has(text);
  }

  sent(sent: Sent): Sent {
    this.#sent.set(sent.text, sent);
    return sent;
  }

  resent(text: string): void {
    this.#resent.add(text);
  }

  settled(sent: Sent, outcome: Outcome): void {
    sent.outcome = outcome;
    if (outcome.outcome !== 'stored') return;
    const storedOn = this.#options.whereStored({ ...outcome, room_id: sent.roomId, content: sent.text });
    if (storedOn) sent.storedOn = storedOn;
    else this.#options.violation(`${sent.text} is reported as stored with seq ${outcome.seq}, and is not`);
  }

  /** Whether every live page knows the outcome of everything that it sent. */
  get areKnown(): boolean {
    return [...this.#sent.values()].every(
      ({ from, outcome }) => from?.owner.isAlive !== true || outcome !== undefined,
    );
  }

  checkEnd(ending: Ending): void {
    for (const sent of this.#sent.values()) this.#check(sent, ending);
  }

  #check(sent: Sent, { disk, isRestored, stored, saved, wasShutOut }: Ending): void {
    const { text, from, outcome, storedOn, roomId, userId } = sent;
    if (from === null) return;
    // A message that was written for an earlier database waits for its author's decision.
    if (isRestored && outcome?.outcome === 'refused' && outcome.code === OTHER_DATABASE) return;
    const isShutOut = wasShutOut(roomId, userId);
    if (isShutOut && (outcome === undefined || outcome.outcome === 'refused')) return;
    const isTrackable = from.owner.isAlive && !from.isShared;
    // A message that the backup does not have is gone: its sender had the ack, and does not send it again.
    if (isRestored && (storedOn === undefined ? !isTrackable : storedOn !== disk)) return;
    const { violation } = this.#options;
    if ((from.owner.isAlive || saved.has(text)) && !stored.has(text) && !isShutOut)
      violation(`${text} was sent and is not stored`);
    if (from.owner.isAlive && outcome?.outcome !== 'stored')
      violation(`the sender does not know that ${text} is stored: ${JSON.stringify(outcome)}`);
  }
}

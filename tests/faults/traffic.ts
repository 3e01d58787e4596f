/** The members of a run. They send until it ends, and then wait until each has received everything. */
import { eventually } from '../support/eventually.ts';
import type { Target } from '../support/http.ts';
import type { Random } from '../support/random.ts';
import { createRoom, readHistory, signUpCrowd } from '../support/users.ts';
import { check, type Report } from './checker.ts';
import { Journal } from './journal.ts';
import { Member, type Seat } from './member.ts';

const PATIENCE_MS = 120_000;

export interface Crowd {
  /** The number of users; each has a seat in every one of their rooms. */
  people: number;
  rooms: number;
  /** The number of rooms that each user is in; by default all. */
  roomsEach?: number;
}

/** Registers users, creates rooms, and returns the seats. */
export async function takeSeats(
  target: Target,
  { people, rooms, roomsEach = rooms }: Crowd,
): Promise<Seat[]> {
  const logins = await signUpCrowd(target, people);
  const [owner] = logins;
  if (!owner) return [];
  const roomIds: number[] = [];
  while (roomIds.length < rooms) roomIds.push((await createRoom(target, owner)).id);
  return logins.flatMap((login, index) =>
    Array.from({ length: roomsEach }, (_, more) => ({
      login,
      roomId: roomIds[(index + more) % rooms] ?? 0,
    })),
  );
}

export interface TrafficOptions {
  target: Target;
  random: Random;
  seats: Seat[];
  /** The number of messages that one sender keeps in flight. */
  window: number;
  /** Every n-th member sends, the others listen; by default all send. */
  talkers?: number;
  /** How long to wait for the last events. */
  patienceMs?: number;
}

export class Traffic {
  readonly journal = new Journal();
  readonly members: Member[];
  readonly #options: TrafficOptions;
  readonly #patienceMs: number;

  /** All members enter and begin. */
  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    const { target, random, seats, window, talkers = seats.length } = options;
    const oneIn = Math.max(1, Math.round(seats.length / talkers));
    this.members = seats.map(
      (seat, index) =>
        new Member(seat, { target, random, journal: this.journal, window: index % oneIn === 0 ? window : 0 }),
    );
    for (const member of this.members) void member.run();
  }

  /** Resolves after this number of further acks. */
  async acks(count: number, withinMs = this.#patienceMs): Promise<void> {
    const goal = this.journal.acked.length + count;
    await eventually(
      `${count} more acks`,
      () => (this.journal.acked.length >= goal ? true : undefined),
      withinMs,
    );
  }

  async everybodyIn(): Promise<void> {
    const isIn = () => this.members.every((member) => member.isIn);
    await eventually('everybody in', () => (isIn() ? true : undefined), this.#patienceMs);
  }

  /** All members give up, for a run that is checked in another way. */
  abandon(): void {
    for (const member of this.members) member.abandon();
  }

  /** Ends the sending. When everything is acked and every member has received everything, it checks the run. */
  async finish(): Promise<Report> {
    for (const member of this.members) member.fallSilent();
    await this.#mustCome('all acked', () => this.members.every((member) => member.isAnswered));
    const heads = new Map<number, number>();
    for (const { roomId, seq } of this.journal.acked)
      heads.set(roomId, Math.max(seq, heads.get(roomId) ?? 0));
    for (const member of this.members) member.finish(heads.get(member.roomId) ?? 0);
    await this.#mustCome('all received', () => this.members.every((member) => member.hasLeft));
    return check(this.journal, await this.#readHistories());
  }

  /** Waits for `hasCome`; if it does not come true, that is a fault of its own. */
  async #mustCome(what: string, hasCome: () => boolean): Promise<void> {
    await eventually(what, () => (hasCome() ? true : undefined), this.#patienceMs).catch((error) =>
      this.journal.violations.push(String(error)),
    );
  }

  async #readHistories() {
    const { target, seats } = this.#options;
    const histories = new Map<number, Awaited<ReturnType<typeof readHistory>>>();
    for (const { login, roomId } of seats) {
      if (!histories.has(roomId)) histories.set(roomId, await readHistory(target, login, roomId));
    }
    return histories;
  }
}

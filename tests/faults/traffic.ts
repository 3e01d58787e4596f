/** All the members of a run: they talk without a pause until it is over, and then wait until each has heard it all. */
import { eventually } from '../support/eventually.ts';
import type { Target } from '../support/http.ts';
import type { Random } from '../support/random.ts';
import { createRoom, readHistory, signUpCrowd } from '../support/users.ts';
import { check, type Report } from './checker.ts';
import { Journal } from './journal.ts';
import { Member, type Seat } from './member.ts';

const PATIENCE_MS = 120_000;

export interface Crowd {
  /** People; each has a seat in every one of their rooms. */
  people: number;
  rooms: number;
  /** In how many of the rooms each person is; all of them by default. */
  roomsEach?: number;
}

/** Signs people up, makes rooms, and seats everybody. */
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
  /** Messages that one sender keeps in flight. */
  window: number;
  /** Every so-many-th member talks, the others listen; by default all talk. */
  talkers?: number;
  /** How long to wait for what must come in the end. */
  patienceMs?: number;
}

export class Traffic {
  readonly journal = new Journal();
  readonly members: Member[];
  readonly #options: TrafficOptions;
  readonly #patienceMs: number;

  /** Everybody sits down and begins. */
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

  /** Resolves when so many more acks have been got. */
  async acks(count: number, withinMs = this.#patienceMs): Promise<void> {
    const goal = this.journal.acked.length + count;
    await eventually(
      `${count} more acks`,
      () => (this.journal.acked.length >= goal ? true : undefined),
      withinMs,
    );
  }

  async everybodyIn(): Promise<void> {
    const isIn = () => this.members.every((member) => member.isConnected);
    await eventually('everybody in', () => (isIn() ? true : undefined), this.#patienceMs);
  }

  /** Everybody gives up, for a run that is judged otherwise. */
  abandon(): void {
    for (const member of this.members) member.abandon();
  }

  /** Nobody says anything new; judges the run once all is acked and all have heard all. */
  async finish(): Promise<Report> {
    for (const member of this.members) member.fallSilent();
    await this.#mustCome('all acked', () => this.members.every((member) => member.isAnswered));
    const heads = new Map<number, number>();
    for (const { roomId, seq } of this.journal.acked)
      heads.set(roomId, Math.max(seq, heads.get(roomId) ?? 0));
    for (const member of this.members) member.finish(heads.get(member.roomId) ?? 0);
    await this.#mustCome('all heard', () => this.members.every((member) => member.hasLeft));
    return check(this.journal, await this.#readHistories());
  }

  /** What does not come is a fault of its own. */
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

/** Processes with a presence each, over one faulty exchange, and what each has announced to its own sockets. */
import { Presence, type RosterEntry } from '../../presence.ts';
import { Rosters } from '../rosters.ts';
import { type FaultyEnd, FaultyExchange, type Weather } from './faulty-exchange.ts';

export const FAIR: Weather = { loss: 0, doubling: 0, maxDelayMs: 5 };

/** Entries that the rosters are made for. */
export const MAX_ENTRIES = 100;

export interface Announced {
  process: string;
  kind: 'join' | 'leave';
  roomId: number;
  userId: number;
}

interface Process {
  presence: Presence;
  rosters: Rosters;
  end: FaultyEnd;
}

export class Cluster {
  readonly exchange: FaultyExchange;
  readonly announced: Announced[] = [];
  /** What `onTooMany` said. */
  readonly reported: number[] = [];
  readonly processes = new Map<string, Process>();
  #started = 0;

  constructor(random: () => number, weather: Weather) {
    this.exchange = new FaultyExchange(random, weather);
  }

  async start(): Promise<string> {
    const process = `process ${++this.#started}`;
    const presence = new Presence();
    const end = this.exchange.end(process);
    const rosters = new Rosters({
      ...{ presence, exchange: end, process },
      maxEntries: MAX_ENTRIES,
      onTooMany: (entries) => this.reported.push(entries),
    });
    this.processes.set(process, { presence, rosters, end });
    presence.onChangeElsewhere = ({ isHere, roomId, userId }) => {
      this.#announce(process, isHere, { roomId, userId });
    };
    await rosters.start();
    return process;
  }

  enter(process: string, roomId: number, userId: number): void {
    const user = { userId, username: `user ${userId}` };
    const change = this.processes.get(process)?.presence.enter(roomId, user);
    if (change?.changed) this.#announce(process, true, { roomId, userId });
  }

  leave(process: string, roomId: number, userId: number): void {
    const change = this.processes.get(process)?.presence.leave(roomId, userId);
    if (change?.changed) this.#announce(process, false, { roomId, userId });
  }

  kill(process: string): void {
    this.exchange.kill(process);
    this.processes.delete(process);
  }

  /** A planned stop. */
  async stop(process: string): Promise<void> {
    const { rosters } = this.processes.get(process) ?? {};
    this.processes.delete(process);
    await rosters?.leave();
    this.exchange.kill(process);
  }

  /** The users of each room, as the process sees them. */
  view(process: string): string[] {
    return namesOf(this.processes.get(process)?.presence.roster() ?? []);
  }

  /** The users with a socket in any process. */
  union(): string[] {
    const own = [...this.processes.values()].flatMap(({ presence }) => presence.own());
    return [...new Set(namesOf(own))];
  }

  #announce(process: string, isHere: boolean, { roomId, userId }: Pick<RosterEntry, 'roomId' | 'userId'>) {
    this.announced.push({ process, kind: isHere ? 'join' : 'leave', roomId, userId });
  }
}

function namesOf(entries: RosterEntry[]): string[] {
  return entries.map(({ roomId, userId }) => `${roomId} ${userId}`).sort();
}

/**
 * What processes say to each other, as JSON. A process that is newer or older, as during a rolling upgrade, may say
 * more than this one understands: of an unknown version only the numbers of logs are read.
 */
import type { MessageRow } from '../storage/store.ts';

const VERSION = 1;

export type TypingEvent = [userId: number, username: string, isTyping: boolean];

/** What one process says to a room in one turn of its event loop. */
export interface RoomEnvelope {
  /** The room's log has reached this number; 0: nothing was added. */
  head: number;
  /** In the order of publishing; none where they would be too large. */
  events?: (MessageRow | TypingEvent)[];
}

/** Heads of rooms and their notices, for processes that do not have them open. */
export interface HeadsEnvelope {
  rooms: [roomId: number, head: number, notices?: MessageRow[]][];
}

export interface UsersEnvelope {
  logs?: [userId: number, seq: number][];
  profiles?: [userId: number, version: number][];
}

export interface ControlEnvelope {
  revoked?: number[];
}

export class Envelopes<T extends object> {
  readonly #start: string;
  readonly #plain: (envelope: T) => T;

  /** `from`: this process. `plain`: the part that every version understands. */
  constructor(from: string, plain: (envelope: T) => T) {
    this.#start = `{"v":${VERSION},"from":${JSON.stringify(from)},`;
    this.#plain = plain;
  }

  encode(envelope: T): string {
    return this.#start + JSON.stringify(envelope).slice(1);
  }

  /** Null for our own, and for what is not an envelope. */
  decode(payload: string): T | null {
    if (payload.startsWith(this.#start)) return null;
    try {
      const envelope = JSON.parse(payload);
      return envelope.v === VERSION ? envelope : this.#plain(envelope);
    } catch {
      return null;
    }
  }
}

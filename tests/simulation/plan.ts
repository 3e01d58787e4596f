/** What users do and what goes wrong in one seed. A plan is data, so that a failing one can be shrunk and read. */
import type { CallWeather } from './database.ts';
import type { BusWeather } from './late-bus.ts';
import type { CutWay, RedisWeather } from './redis-server.ts';

export type Act =
  /** Sends `texts` messages of at least `length` characters. */
  | { kind: 'say'; page: number; room: number; texts: number; length: number }
  | { kind: 'say over v1' }
  | { kind: 'type'; page: number; room: number }
  | { kind: 'leave'; page: number; room: number }
  | { kind: 'enter'; page: number; room: number }
  | { kind: 'older'; page: number; room: number }
  /** The page's user looks at the room: nothing up to its head is unread any more. */
  | { kind: 'read'; page: number; room: number }
  /** Everything after the room's middle is to be unread again. */
  | { kind: 'unread'; page: number; room: number }
  /** The page shows this room; null: none. */
  | { kind: 'here'; page: number; room: number | null }
  /** The page's user becomes a member of a public room, or leaves a room. */
  | { kind: 'join'; page: number; room: number }
  | { kind: 'quit'; page: number; room: number }
  /** The owner of the room removes the page's user from it, or adds them. */
  | { kind: 'remove'; page: number; room: number }
  | { kind: 'add'; page: number; room: number }
  /** The page's user writes to these users directly: the conversation is made with the first text to them. */
  | { kind: 'write'; page: number; users: number[] }
  /** The page's user responds in the latest direct conversation that the page lists. */
  | { kind: 'respond'; page: number }
  /** The page tries to enter the latest direct conversation of others. */
  | { kind: 'pry'; page: number }
  /** The page's user accepts the invitation to the room. */
  | { kind: 'accept'; page: number; room: number }
  /**
   * One of the messages that the room started with is changed. `way`: undefined: one that follows from the plan. The bus
   * loses what is unheard.
   */
  | { kind: 'revise'; room: number; nth: number; way?: 'edit'; isUnheard?: boolean }
  /** An admin gives the page's user this role on the server. */
  | { kind: 'role'; page: number; role: 'guest' | 'member' }
  /** Somebody without a page becomes a member of a public room, sets a status, or makes notes. */
  | { kind: 'leaver writes'; room: number; way: 'join' | 'status' | 'notes' }
  /** An admin removes the account of that person. */
  | { kind: 'remove leaver' }
  /** The owner gives the room another topic: a notice for everybody in it. */
  | { kind: 'topic'; room: number }
  /** The page ends and is opened again. The server notices after `serverMs`; with null, only by the silence. */
  | { kind: 'reload'; page: number; serverMs: number | null }
  /** Its connections break. Each side notices after its time; with null, never. */
  | { kind: 'cut'; page: number; serverMs: number | null; pageMs: number | null }
  | { kind: 'stall'; page: number; forMs: number }
  | { kind: 'offline'; page: number; forMs: number }
  /** A process dies at once. With `isSilent`, as after a power cut, its connections get no end. */
  | { kind: 'crash'; process?: number; downMs: number; isSilent: boolean }
  | { kind: 'restart'; process?: number; downMs: number }
  /** No commit succeeds for a while. */
  | { kind: 'full'; forMs: number }
  /** A process is paused, as by SIGSTOP. */
  | { kind: 'pause'; process?: number; forMs: number }
  /** A user ends the session of another device. */
  | { kind: 'end session' }
  /** A process is cut off from Redis, and nobody tells it: what it says is lost, what it would hear, or both. */
  | { kind: 'cut redis'; process: number; way: CutWay; forMs: number }
  /** Redis ends, and starts again without anything that it had. */
  | { kind: 'restart redis'; downMs: number }
  /**
   * The connections of a process to Redis go on without what it says, or what it would hear, until it replaces them: as
   * when a client loses its subscriptions.
   */
  | { kind: 'deafen'; process: number; way: 'says' | 'hears' }
  /** A process is cut off from the database. */
  | { kind: 'cut database'; process: number; forMs: number }
  /** Another database server takes over after `forMs`. With `lost`, it lacks that number of the last commits. */
  | { kind: 'fail over'; forMs: number; lost: number }
  /** The disk is copied. A restore starts from the copy, under another epoch. */
  | { kind: 'back up' }
  | { kind: 'restore'; downMs: number }
  /** The device signals that it is online again, or that the page is visible again. */
  | { kind: 'wake'; page: number }
  /** The servers' wall clock jumps. */
  | { kind: 'jump'; byMs: number };

export type Action = Act & { atMs: number };

export interface PagePlan {
  user: number;
  rooms: number[];
  /** The page whose browser this tab belongs to, and with which it shares unsent messages. */
  tabOf: number | null;
  /** The number of messages that it keeps in memory; it drops older ones. */
  keep: number;
}

/** The faults of the network: the probability of each, per request or connection. */
export interface Weather {
  requestLoss: number;
  answerLoss: number;
  duplicates: number;
  /** A request for history is refused as too many requests. */
  refusals: number;
  crashAfterCommit: number;
  latency: { minMs: number; maxMs: number };
  storage: { minMs: number; maxMs: number };
  /** Bytes that the kernel buffers on a socket that nobody reads from. */
  kernelBytes: number;
  bus: BusWeather | null;
}

/** Several processes on one database. */
export interface ClusterPlan {
  processes: number;
  redis: RedisWeather;
  /** Whether one of the users has another device, whose session they end. */
  endsSession: boolean;
  calls: CallWeather;
  /** Nothing goes wrong, and everything must come in time. */
  isCalm: boolean;
}

export interface RoomPlan {
  /** The number of messages that it starts with. */
  messages: number;
  /** Only the users whose pages are in it at the start are its members, and its owner. */
  isPrivate: boolean;
  /** There is an invitation to it, for this many users. */
  inviteUses?: number;
}

export interface Plan {
  seed: number;
  /** Null: one process, on SQLite. */
  cluster: ClusterPlan | null;
  users: number;
  rooms: RoomPlan[];
  pages: PagePlan[];
  /** Whether there is a v1 page, too. */
  hasOldPage: boolean;
  /** Whether there is somebody without a page, whose account is removed. */
  hasLeaver?: boolean;
  messageLimit: { perSecond: number; burst: number };
  /** The most messages that the server returns in one page of history. */
  pageLimit: number;
  weather: Weather;
  actions: Action[];
  lastsMs: number;
  /** Whether the run waits until presence is right everywhere, and checks it. */
  checksPresence: boolean;
}

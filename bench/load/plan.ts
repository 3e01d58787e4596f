/** What the load processes are told: plain data, as it travels between processes. */

/** How to get one socket into a room of a contender, and how to speak there. */
export interface Door {
  port: number;
  /** Path and query of the upgrade. */
  path: string;
  subprotocol: string | null;
  /** Where a one-time ticket is had first; it is offered as a subprotocol. */
  ticket: { path: string; body: string; accessToken: string } | null;
  /** Frames to send right after the upgrade. */
  hello: string[];
  /** The server says this once the socket is in the room; null: the upgrade alone is enough. */
  readyMarker: string | null;
  /** What stands before and after the content in a message frame. */
  frame: [prefix: string, suffix: string];
  /** How a sender has its message acknowledged; null: nothing but the echo comes. */
  ack: Ack | null;
  /** How a socket that was cut comes back; null: as if it had never been there. */
  comeBack: ComeBack | null;
}

export interface Ack {
  /** What stands before and after the sender's own name of the message, in place of the frame's suffix. */
  suffix: [before: string, after: string];
  /** Stands in every acknowledgement and in no other frame. */
  marker: string;
}

export interface ComeBack {
  /** What a socket remembers: by name, a pattern whose group is looked for in what it heard; the last match counts. */
  remember: Record<string, string>;
  /** As in the door, with `{name}` for what is remembered. */
  path: string;
  hello: string[];
  /** The server says this when the socket is in its room again. */
  liveMarker: string;
}

/**
 * A listener counts frames, a sampled listener also reads when they were sent. A sender sends and hears how it is
 * answered: by its echo, or where the door has them by acknowledgements. A returner is cut and comes back; an audited
 * one also looks at the number of each event that it missed.
 */
export type Role =
  | { kind: 'listener' }
  | { kind: 'sampled' }
  | { kind: 'sender'; id: number; answer: 'echo' | 'ack' }
  | { kind: 'returner'; isAudited: boolean };

export interface SocketPlan {
  /** Index into the doors. */
  door: number;
  role: Role;
}

export interface Plan {
  doors: Door[];
  sockets: SocketPlan[];
}

/** Receivers that read the send times, in each room. */
const SAMPLED_PER_ROOM = 4;

/** One room: the senders and the sampled listeners stand evenly among the others, as the doors (users) do. */
export function planRoom(doors: Door[], size: number, senders: number): Plan {
  const roles: Role[] = Array.from({ length: size }, () => ({ kind: 'listener' }));
  for (let id = 0; id < senders; id++) {
    roles[Math.floor(((id + 0.5) * size) / senders)] = { kind: 'sender', id, answer: 'echo' };
  }
  for (let index = 0; index < SAMPLED_PER_ROOM; index++) {
    const at = Math.floor(((index + 0.25) * size) / SAMPLED_PER_ROOM);
    if (roles[at]?.kind === 'listener') roles[at] = { kind: 'sampled' };
  }
  return { doors, sockets: roles.map((role, index) => ({ door: index % doors.length, role })) };
}

/** Everybody sends, `perRoom` in each room; each door is a room. Acknowledged where the door has that. */
export function planSenders(doors: Door[], perRoom: number): Plan {
  const sockets = Array.from({ length: doors.length * perRoom }, (_, id): SocketPlan => {
    return { door: id % doors.length, role: { kind: 'sender', id, answer: 'ack' } };
  });
  return { doors, sockets };
}

/** `count` sockets that will come back; one of `auditedOf` looks at what it gets. */
export function planReturners(doors: Door[], count: number, auditedOf: number): Plan {
  const sockets = Array.from({ length: count }, (_, index): SocketPlan => {
    return { door: index % doors.length, role: { kind: 'returner', isAudited: index % auditedOf === 0 } };
  });
  return { doors, sockets };
}

/** Nobody says anything. */
export function planListeners(doors: Door[], count: number): Plan {
  const sockets = Array.from({ length: count }, (_, index): SocketPlan => {
    return { door: index % doors.length, role: { kind: 'listener' } };
  });
  return { doors, sockets };
}

export type LoadCommand =
  | { name: 'open'; plan: Plan; concurrency: number }
  /** Every sender keeps `window` messages in flight from now on. */
  | { name: 'send'; window: number }
  /** Every sender sends `count` messages; answers when the last of them has been answered. */
  | { name: 'post'; count: number }
  /** Cuts all returners at once. */
  | { name: 'cut' }
  /** All returners come back at once; answers when each is live and has `missed` events, or nothing comes any more. */
  | { name: 'return'; missed: number }
  /** Reads the counters; `record` switches the latency records on or off from here. */
  | { name: 'mark'; record: boolean }
  /** No more sending; answers the latencies recorded since they were last asked for. */
  | { name: 'halt' }
  | { name: 'close' };

export interface Opened {
  seconds: number;
  /** From the first byte of the ticket request or upgrade to being in the room, milliseconds. */
  latencies: Float64Array;
}

export interface Mark {
  atUs: number;
  /** CPU time of the process so far, less what it spent polling for nothing. */
  cpuUs: number;
  frames: number;
  sent: number;
  /** Messages that were answered: by the echo or the acknowledgement. */
  answers: number;
  /** Those answers that are frames besides the echo. */
  acks: number;
}

export interface Latencies {
  /** From sending to a sampled receiver, milliseconds. */
  delivery: Float64Array;
  /** From sending to the answer, milliseconds. */
  answer: Float64Array;
}

export interface Returned {
  seconds: number;
  /** From the start to being live again, milliseconds, each socket's. */
  live: Float64Array;
  /** Sockets that got exactly the events that they missed. */
  complete: number;
  /** Events of all sockets. */
  events: number;
  /** Audited sockets, and how many of them got the right numbers in the right order. */
  audited: number;
  auditedRight: number;
}

export interface LoadAnswers {
  open: Opened;
  send: null;
  post: null;
  cut: null;
  return: Returned;
  mark: Mark;
  halt: Latencies;
  close: null;
}

export type LoadReply = { ok: true; answer: LoadAnswers[keyof LoadAnswers] } | { ok: false; error: string };

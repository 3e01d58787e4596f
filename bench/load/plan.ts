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
}

/** A listener counts frames, a sampled listener also reads when they were sent, a sender sends and hears its echo. */
export type Role = { kind: 'listener' } | { kind: 'sampled' } | { kind: 'sender'; id: number };

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
    roles[Math.floor(((id + 0.5) * size) / senders)] = { kind: 'sender', id };
  }
  for (let index = 0; index < SAMPLED_PER_ROOM; index++) {
    const at = Math.floor(((index + 0.25) * size) / SAMPLED_PER_ROOM);
    if (roles[at]?.kind === 'listener') roles[at] = { kind: 'sampled' };
  }
  return { doors, sockets: roles.map((role, index) => ({ door: index % doors.length, role })) };
}

/** Everybody sends, `perRoom` in each room; each door is a room. */
export function planSenders(doors: Door[], perRoom: number): Plan {
  const sockets = Array.from({ length: doors.length * perRoom }, (_, id): SocketPlan => {
    return { door: id % doors.length, role: { kind: 'sender', id } };
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
  /** CPU time of the process so far. */
  cpuUs: number;
  frames: number;
  sent: number;
  echoes: number;
}

export interface Latencies {
  /** From sending to a sampled receiver, milliseconds. */
  delivery: Float64Array;
  /** From sending to the sender's own copy, milliseconds. */
  echo: Float64Array;
}

export interface LoadAnswers {
  open: Opened;
  send: null;
  mark: Mark;
  halt: Latencies;
  close: null;
}

export type LoadReply = { ok: true; answer: LoadAnswers[keyof LoadAnswers] } | { ok: false; error: string };

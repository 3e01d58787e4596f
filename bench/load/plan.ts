/** The commands to the load processes and their responses: plain data, so that it can be sent between processes. */

/** How to get one socket into a room of a contender, and how to send messages there. */
export interface Door {
  port: number;
  /** The path and query of the upgrade. */
  path: string;
  subprotocol: string | null;
  /** The request for a one-time ticket, which is then offered as a subprotocol; null when none is needed. */
  ticket: { path: string; body: string; accessToken: string } | null;
  /** Frames to send immediately after the upgrade. */
  hello: string[];
  /** A text that the server sends when the socket is in the room; null when the upgrade alone is enough. */
  readyMarker: string | null;
  /** The text before and after the content in a message frame. */
  frame: [prefix: string, suffix: string];
  /** How the server acknowledges messages; null when it sends only the echo. */
  ack: Ack | null;
  /** How a socket resumes after a cut; null when it enters as a new one. */
  comeBack: ComeBack | null;
}

export interface Ack {
  /** The text before and after the message's cid, in place of the frame's suffix. */
  suffix: [before: string, after: string];
  /** A text that is in every ack and in no other frame. */
  marker: string;
}

export interface ComeBack {
  /** What a socket remembers: by name, a pattern with one group. The last match in the received text counts. */
  remember: Record<string, string>;
  /** As in the door, with `{name}` in place of what is remembered. */
  path: string;
  hello: string[];
  /** A text that the server sends when the socket is live again. */
  liveMarker: string;
  /** A pattern with the ticket for the way back as its group; null, or not found: one is requested as at first. */
  ticket: string | null;
}

/**
 * A listener counts frames; a sampled listener also reads their send times. A sender sends, and waits for its echo or,
 * where the door has them, its acks. A returner is cut and reconnects; an audited one also checks the number of each
 * event that it missed.
 */
export type Role =
  | { kind: 'listener' }
  | { kind: 'sampled' }
  | { kind: 'sender'; id: number; answer: 'echo' | 'ack' }
  | { kind: 'returner'; isAudited: boolean };

export interface SocketPlan {
  /** The index of its door. */
  door: number;
  role: Role;
}

export interface Plan {
  doors: Door[];
  sockets: SocketPlan[];
}

/** Messages that a sender changes over its line, again and again. */
export interface ChangePlan {
  /** The id of the sender. */
  sender: number;
  roomId: number;
  kind: 'edit' | 'react';
  messages: { id: number; revision: number }[];
}

/** The number of receivers in each room that read the send times. */
const SAMPLED_PER_ROOM = 4;

/** One room. The senders and the sampled listeners are spread evenly among the others, and so are the doors (users). */
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

/** `perRoom` senders in each room, and nobody else; each door is a room. They wait for acks where the door has them. */
export function planSenders(doors: Door[], perRoom: number): Plan {
  const sockets = Array.from({ length: doors.length * perRoom }, (_, id): SocketPlan => {
    return { door: id % doors.length, role: { kind: 'sender', id, answer: 'ack' } };
  });
  return { doors, sockets };
}

/** `count` returners; one in `auditedOf` is audited. */
export function planReturners(doors: Door[], count: number, auditedOf: number): Plan {
  const sockets = Array.from({ length: count }, (_, index): SocketPlan => {
    return { door: index % doors.length, role: { kind: 'returner', isAudited: index % auditedOf === 0 } };
  });
  return { doors, sockets };
}

/** `count` listeners, and no sender. */
export function planListeners(doors: Door[], count: number): Plan {
  const sockets = Array.from({ length: count }, (_, index): SocketPlan => {
    return { door: index % doors.length, role: { kind: 'listener' } };
  });
  return { doors, sockets };
}

export type LoadCommand =
  | { name: 'open'; plan: Plan; concurrency: number }
  /** Every sender keeps `window` messages in flight from now on. Until `halt`, a polling process never sleeps. */
  | { name: 'send'; window: number; isPolling: boolean }
  /** These senders change their messages until `halt`. */
  | { name: 'change'; plans: ChangePlan[]; isPolling: boolean }
  /** All senders of this process together send this number of messages a second from now on; 0 stops them. */
  | { name: 'flow'; perSecond: number }
  /** Reads the counters of the flow; `record` switches the recording of latencies on or off. */
  | { name: 'flow-counts'; record: boolean }
  /** Every sender sends `count` messages; responds when all have their echo or ack. */
  | { name: 'post'; count: number }
  /** Cuts all returners at once. */
  | { name: 'cut' }
  /**
   * All returners reconnect, `concurrency` at a time; responds when each is live and has `missed` events, or when nothing
   * arrives.
   */
  | { name: 'return'; missed: number; concurrency: number }
  /** Reads the counters; `record` switches the recording of latencies on or off. */
  | { name: 'mark'; record: boolean }
  /** Ends the sending; responds with the latencies recorded since the last `halt`. */
  | { name: 'halt' }
  | { name: 'close' };

export interface Opened {
  seconds: number;
  /** From the first byte of the ticket request or upgrade to being in the room, milliseconds. */
  latencies: Float64Array;
}

export interface Mark {
  atUs: number;
  /** The CPU time of the process so far, without that of empty polls. */
  cpuUs: number;
  frames: number;
  sent: number;
  /** The number of messages that have their echo or ack. */
  answers: number;
  /** The number of acks, which are frames in addition to the echo. */
  acks: number;
}

export interface FlowCounts {
  atUs: number;
  sent: number;
  acks: number;
  refusals: number;
  /** What refused senders would have sent. */
  heldBack: number;
  /** All frames of all sockets. */
  frames: number;
}

export interface Latencies {
  /** From sending to a sampled receiver, milliseconds. */
  delivery: Float64Array;
  /** From sending to the echo or ack, milliseconds. */
  answer: Float64Array;
}

export interface Returned {
  seconds: number;
  /** From the start to being live again, in milliseconds, for each socket. */
  live: Float64Array;
  /** From its own start. */
  own: Float64Array;
  /** The number of sockets that got exactly the events that they missed. */
  complete: number;
  /** The number of events that all sockets got. */
  events: number;
  /** The number of audited sockets, and of those that got the right events in the right order. */
  audited: number;
  auditedRight: number;
}

export interface LoadAnswers {
  open: Opened;
  send: null;
  change: null;
  post: null;
  flow: null;
  'flow-counts': FlowCounts;
  cut: null;
  return: Returned;
  mark: Mark;
  halt: Latencies;
  close: null;
}

export type LoadReply = { ok: true; answer: LoadAnswers[keyof LoadAnswers] } | { ok: false; error: string };

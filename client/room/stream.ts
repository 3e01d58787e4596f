/**
 * The log of a room as its connections deliver it: each state once and in order, independent of the pages of history
 * that were read. Pure functions.
 *
 * The position outlives connections: the next one resumes from it, so nothing is missed after the first `opened`. Only
 * a reset moves the position past states that were not received.
 */
import type { Message } from '../../protocol/events.ts';
import type { Frame } from '../connection/frames.ts';
import type { RoomFrame } from './room-frame.ts';

/** A position in a room's log. */
export interface Stream {
  /** The database that `seq` belongs to. */
  readonly epoch: string;
  /** Everything up to this number of the log was received, from where the stream began. */
  readonly seq: number;
  /**
   * Numbers that were left out, because something later superseded them: changes, or messages that have changed since.
   * Such a message is still new when it comes in the place of its latest change.
   */
  readonly leftOut: ReadonlySet<number>;
  /**
   * `behind`: there is no connection, or it is still sending what was missed. `broken`: a number is missing, and a new
   * connection is needed.
   */
  readonly phase: 'behind' | 'live' | 'broken';
}

/** The effect of one frame. */
export interface Heard {
  readonly stream: Stream | null;
  /** The states received for the first time, in the order of the log. */
  readonly states: readonly Message[];
  /** Those of them that are new messages, and not changes of earlier ones. */
  readonly messages: readonly Message[];
  /** The part of a message that the frame brings. */
  readonly delta: Frame<'reaction' | 'thread'> | null;
  /** The position has skipped states, or belongs to another database. */
  readonly isReset: boolean;
}

/** The place of a message in the log: the number of its latest change. */
export function placeOf({ seq, changed_seq }: Message): number {
  return changed_seq ?? seq;
}

/** The position of a room that is live, or of one that resumes from there. */
export function streamAt(epoch: string, seq: number, phase: Stream['phase']): Stream {
  return { epoch, seq, leftOut: NONE, phase };
}

const NONE: ReadonlySet<number> = new Set();
/** Beyond this, the oldest are forgotten. */
const MAX_LEFT_OUT = 5000;

export function hear(stream: Stream | null, frame: RoomFrame): Heard {
  switch (frame.type) {
    case 'opened': {
      const { epoch, seq, resumed } = frame;
      if (stream === null) return at(streamAt(epoch, seq, 'live'));
      const isSame = stream.epoch === epoch;
      // Batches and sync follow.
      if (isSame && resumed) return at({ ...stream, phase: 'behind' });
      // A reset to this number may follow, or nothing: a room that was opened again before the first response had no
      // position to name. The numbers of another database mean nothing in this one.
      const isReset = !isSame || stream.seq !== seq;
      return at(streamAt(epoch, seq, resumed ? 'behind' : 'live'), { isReset });
    }
    case 'reset': {
      const { epoch, seq } = frame;
      // `opened` may have moved the position already.
      const isReset = stream?.epoch !== epoch || stream.seq !== seq;
      return at(streamAt(epoch, seq, 'live'), { isReset });
    }
    case 'message': {
      const place = placeOf(frame);
      if (stream === null || stream.phase === 'broken' || place <= stream.seq) return at(stream);
      // A message outside a batch follows on the last event.
      if (place !== stream.seq + 1) return at({ ...stream, phase: 'broken' });
      return heard(stream, [frame]);
    }
    case 'reaction':
    case 'thread': {
      const place = frame.changed_seq;
      if (stream === null || stream.phase === 'broken' || place <= stream.seq) return at(stream);
      if (place !== stream.seq + 1) return at({ ...stream, phase: 'broken' });
      return { ...at({ ...stream, seq: place }), delta: frame };
    }
    case 'batch': {
      if (stream === null || stream.phase === 'broken') return at(stream);
      // A batch leaves out superseded numbers, so gaps are allowed here.
      const states = frame.events.filter((event) => placeOf(event) > stream.seq);
      return states.length === 0 ? at(stream) : heard(stream, states);
    }
    case 'sync':
      // A broken one has not taken what was sent before this.
      if (stream === null || stream.phase === 'broken') return at(stream);
      return at({ ...passed(stream, frame.seq), phase: 'live' });
    default:
      return at(stream);
  }
}

/** The connection is lost. */
export function paused(stream: Stream | null): Stream | null {
  return stream && { ...stream, phase: 'behind' };
}

/** These states have come, in the order of their places. */
function heard(stream: Stream, states: readonly Message[]): Heard {
  let { seq } = stream;
  const leftOut = new Set(stream.leftOut);
  const messages = states.filter((message) => {
    const place = placeOf(message);
    leaveOut(leftOut, seq, place);
    seq = place;
    return message.seq === place || leftOut.delete(message.seq);
  });
  return { stream: { ...stream, seq, leftOut }, states, messages, delta: null, isReset: false };
}

/** Everything up to this place has come. */
function passed(stream: Stream, place: number): Stream {
  const leftOut = new Set(stream.leftOut);
  leaveOut(leftOut, stream.seq, place + 1);
  return { ...stream, seq: Math.max(stream.seq, place), leftOut };
}

/** Adds the numbers between the two. */
function leaveOut(leftOut: Set<number>, from: number, to: number): void {
  for (let number = from + 1; number < to; number++) leftOut.add(number);
  for (const oldest of leftOut) {
    if (leftOut.size <= MAX_LEFT_OUT) return;
    leftOut.delete(oldest);
  }
}

function at(stream: Stream | null, { isReset = false }: Partial<Heard> = {}): Heard {
  return { stream, states: [], messages: [], delta: null, isReset };
}

/**
 * The log of a room as its connections deliver it: each state once and in order, independent of the pages of history
 * that were read. Pure functions.
 *
 * The position outlives connections: the next one resumes from it, so nothing is missed after the first `opened`. Only
 * a reset moves the position past states that were not received.
 */
import type { Message } from '../../protocol/events.ts';
import type { RoomFrame } from './room-frame.ts';

/** A position in a room's log. */
export interface Stream {
  /** The database that `seq` belongs to. */
  readonly epoch: string;
  /** Everything up to this number of the log was received, from where the stream began. */
  readonly seq: number;
  /** Where the resume under way began; `seq` without one. Only messages with a higher seq are new. */
  readonly began: number;
  /** The new messages that the resume under way has brought: one that is changed again comes again. */
  readonly brought: ReadonlySet<number>;
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
  /** The position has skipped states, or belongs to another database. */
  readonly isReset: boolean;
}

/** The place of a message in the log: the number of its latest change. */
export function placeOf({ seq, changed_seq }: Message): number {
  return changed_seq ?? seq;
}

/** The position of a room that is live, or of one that resumes from there. */
export function streamAt(epoch: string, seq: number, phase: Stream['phase']): Stream {
  return { epoch, seq, began: seq, brought: NONE, phase };
}

const NONE: ReadonlySet<number> = new Set();

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
      // Live numbers have no gaps.
      if (place !== stream.seq + 1) return at({ ...stream, phase: 'broken' });
      return heard(stream, place, [frame]);
    }
    case 'batch': {
      if (stream === null) return at(stream);
      // A batch leaves out superseded numbers, so gaps are allowed here.
      const states = frame.events.filter((event) => placeOf(event) > stream.seq);
      const last = states.at(-1);
      return last === undefined ? at(stream) : heard(stream, placeOf(last), states);
    }
    case 'sync':
      return at(stream && streamAt(stream.epoch, Math.max(stream.seq, frame.seq), 'live'));
    default:
      return at(stream);
  }
}

/** The connection is lost. */
export function paused(stream: Stream | null): Stream | null {
  return stream && { ...stream, phase: 'behind' };
}

/** These states have come. `place`: the position after them. */
function heard(before: Stream, place: number, states: readonly Message[]): Heard {
  const { began, brought, phase } = before;
  const messages = states.filter(({ seq }) => seq > began && !brought.has(seq));
  const stream =
    phase === 'live'
      ? { ...before, seq: place, began: place }
      : { ...before, seq: place, brought: new Set([...brought, ...messages.map(({ seq }) => seq)]) };
  return { stream, states, messages, isReset: false };
}

function at(stream: Stream | null, { isReset = false }: Partial<Heard> = {}): Heard {
  return { stream, states: [], messages: [], isReset };
}

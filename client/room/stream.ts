/**
 * The messages of a room as its connections deliver them: each once and in order, independent of the pages of history
 * that were read. Pure functions.
 *
 * The position outlives connections: the next one resumes from it, so nothing is missed after the first `hello`. Only
 * a reset moves the position past messages that were not received.
 */
import type { Message } from '../../protocol/events.ts';
import type { RoomFrame } from '../connection/socket.ts';

/** A position in a room's stream of messages. */
export interface Stream {
  /** The database that `seq` belongs to. */
  readonly epoch: string;
  /** Everything up to this seq was received, from where the stream began. */
  readonly seq: number;
  /**
   * `behind`: there is no connection, or it is still sending what was missed. `broken`: a message is missing, and a new
   * connection is needed.
   */
  readonly phase: 'behind' | 'live' | 'broken';
}

/** The effect of one frame. */
export interface Heard {
  readonly stream: Stream | null;
  /** The messages received for the first time. */
  readonly messages: readonly Message[];
  /** The position has skipped messages, or belongs to another database. */
  readonly isReset: boolean;
}

export function hear(stream: Stream | null, frame: RoomFrame): Heard {
  switch (frame.type) {
    case 'hello': {
      const { epoch, seq, resumed } = frame;
      if (stream === null) return at({ epoch, seq, phase: 'live' });
      // Batches and sync follow, or a reset.
      if (stream.epoch === epoch) return at({ ...stream, phase: 'behind' });
      return at({ epoch, seq: resumed ? stream.seq : seq, phase: 'behind' }, { isReset: true });
    }
    case 'reset': {
      const { epoch, seq } = frame;
      // `hello` with another epoch has moved the position already.
      const isReset = stream?.epoch !== epoch || stream.seq !== seq;
      return at({ epoch, seq, phase: 'live' }, { isReset });
    }
    case 'message':
      if (stream === null || stream.phase === 'broken' || frame.seq <= stream.seq) return at(stream);
      // Live messages have no gaps.
      if (frame.seq !== stream.seq + 1) return at({ ...stream, phase: 'broken' });
      return at({ ...stream, seq: frame.seq }, { messages: [frame] });
    case 'batch': {
      if (stream === null) return at(stream);
      // A batch may leave out superseded numbers, so gaps are allowed here.
      const messages = frame.events.filter(({ seq }) => seq > stream.seq);
      return at({ ...stream, seq: messages.at(-1)?.seq ?? stream.seq }, { messages });
    }
    case 'sync':
      return at(stream && { ...stream, seq: Math.max(stream.seq, frame.seq), phase: 'live' });
    default:
      return at(stream);
  }
}

/** The connection is lost. */
export function paused(stream: Stream | null): Stream | null {
  return stream && { ...stream, phase: 'behind' };
}

function at(stream: Stream | null, { messages = [], isReset = false }: Partial<Heard> = {}): Heard {
  return { stream, messages, isReset };
}

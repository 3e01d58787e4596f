/**
 * A room's messages as its connections bring them: each once, in order, whatever the view of the room has or lacks. Pure.
 *
 * The place in the stream outlives connections: the next one goes on from it, so nothing is missed that was said since
 * hello first named a place. Only a reset moves it over what was not heard.
 */
import type { Message } from '../../protocol/events.ts';
import type { RoomFrame } from '../connection/socket.ts';

export interface Stream {
  /** The life of the database that `seq` belongs to. */
  readonly epoch: string;
  /** All after the place where it began was heard up to here. */
  readonly seq: number;
  /** `behind`: no connection, or it sends what was missed. `broken`: something was left out, so another one is needed. */
  readonly phase: 'behind' | 'live' | 'broken';
}

/** What one frame did. */
export interface Heard {
  readonly stream: Stream | null;
  /** Heard now, and never before. */
  readonly messages: readonly Message[];
  /** The place has moved without what lies between, or into another life of the database. */
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
      // Hello of another life has moved it already.
      const isReset = stream?.epoch !== epoch || stream.seq !== seq;
      return at({ epoch, seq, phase: 'live' }, { isReset });
    }
    case 'message':
      if (stream === null || stream.phase === 'broken' || frame.seq <= stream.seq) return at(stream);
      // What is live has no gaps.
      if (frame.seq !== stream.seq + 1) return at({ ...stream, phase: 'broken' });
      return at({ ...stream, seq: frame.seq }, { messages: [frame] });
    case 'batch': {
      if (stream === null) return at(stream);
      // Numbers that later events superseded may be left out, so what follows here need not be the next number.
      const messages = frame.events.filter(({ seq }) => seq > stream.seq);
      return at({ ...stream, seq: messages.at(-1)?.seq ?? stream.seq }, { messages });
    }
    case 'sync':
      return at(stream && { ...stream, seq: Math.max(stream.seq, frame.seq), phase: 'live' });
    default:
      return at(stream);
  }
}

/** The connection is gone. */
export function paused(stream: Stream | null): Stream | null {
  return stream && { ...stream, phase: 'behind' };
}

function at(stream: Stream | null, { messages = [], isReset = false }: Partial<Heard> = {}): Heard {
  return { stream, messages, isReset };
}

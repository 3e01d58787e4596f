/**
 * Emits the events of a room. `message` follows the stream, not the state, so listeners miss nothing whatever happens
 * to pages of history.
 */
import type { Message } from '../../protocol/events.ts';
import type { Cancel } from '../clock.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import { Emitter } from '../emitter.ts';
import type { Delta } from './deltas.ts';
import type { PresenceChange } from './people.ts';
import type { RoomFrame } from './room-frame.ts';
import type { RoomState } from './room-state.ts';
import { type Heard, hear, type Stream } from './stream.ts';

/** The events of a room, by name. */
export interface RoomEvents {
  /** The new state, after any change. */
  readonly state: RoomState;
  /** `send` was called on this room. The message appears in `state.pending` in a moment. */
  readonly sending: { readonly content: string };
  /** What the user has not sent has changed. */
  readonly outbox: null;
  /**
   * A message that was posted after you entered, your own included: each once, in order, also those that were posted
   * during a lost connection.
   */
  readonly message: Message;
  /** Something happened to the room or its members, as `notice` says: the same, for notices instead of texts. */
  readonly notice: Message;
  /** Everything that the log of the room brings: new messages, changed ones, and parts of them. */
  readonly log: LogNews;
  /** Users came or left. On each new connection, `users` lists who is present. */
  readonly presence: PresenceChange;
  readonly connection: ConnectionState;
  /**
   * Too much was missed to be sent again, or the server's history was restored. `message` continues from here, and the
   * state starts over.
   */
  readonly reset: RoomState;
}

/** What came after the number `after` of the room's log, up to `upTo`. */
export interface LogNews {
  readonly after: number;
  readonly upTo: number;
  /** The messages that are new or have changed, as they are now. */
  readonly states: readonly Message[];
  /** A reaction, or the thread of a root. */
  readonly delta: Delta | null;
}

export class RoomListeners {
  readonly #events = new Emitter<RoomEvents>();
  /** How far `message` has come. The state has its own stream, which may continue from an earlier visit. */
  #stream: Stream | null = null;
  #stopped = false;

  /** Calls `listener` on each event of that name, until cancelled. */
  on<Name extends keyof RoomEvents>(name: Name, listener: (value: RoomEvents[Name]) => void): Cancel {
    return this.#events.on(name, listener);
  }

  emit<Name extends keyof RoomEvents>(name: Name, value: RoomEvents[Name]): void {
    this.#events.emit(name, value);
  }

  /** Emits what a frame brings. `state` is the room's, after the frame. */
  onFrame(frame: RoomFrame, state: RoomState): void {
    const heard = hear(this.#stream, frame);
    const { stream, states, delta } = heard;
    // Where the stream begins, or begins anew, it follows on nothing.
    const after = (heard.isReset ? stream?.seq : this.#stream?.seq) ?? stream?.seq ?? 0;
    this.#stream = stream;
    if (stream !== null) this.emit('log', { after, upTo: stream.seq, states, delta });
    this.#emitHeard(heard, state);
    if (this.#stopped) return;
    switch (frame.type) {
      case 'opened':
        this.emit('presence', { online: frame.online, joined: [], left: [], users: frame.users });
        return;
      case 'presence':
        this.emit('presence', frame);
        return;
      default:
        return;
    }
  }

  /** Emits nothing for later frames. */
  stop(): void {
    this.#stopped = true;
  }

  #emitHeard({ messages, isReset }: Heard, state: RoomState): void {
    if (isReset && !this.#stopped) this.emit('reset', state);
    for (const message of messages) {
      // A listener may have left the room.
      if (this.#stopped) return;
      this.emit(message.notice === undefined ? 'message' : 'notice', message);
    }
  }
}

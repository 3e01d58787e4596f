/** Tells a program what happens in a room. Listeners hear the stream, not the view: whatever becomes of pages of history, they miss nothing. */
import type { Message } from '../../protocol/events.ts';
import type { Cancel } from '../clock.ts';
import type { ConnectionState, RoomFrame } from '../connection/socket.ts';
import { Emitter } from '../emitter.ts';
import { type PresenceChange, presenceChange } from './people.ts';
import type { RoomState } from './room-state.ts';
import { type Heard, hear, type Stream } from './stream.ts';

export interface RoomEvents {
  /** Anything changed. */
  readonly state: RoomState;
  /** The member has said something through this room: `state` has it as pending in a moment. */
  readonly sending: { readonly content: string };
  /** A message was said after this client entered: each once, in order, also those that a lost connection missed. */
  readonly message: Message;
  /** Somebody came or went; with `users`, who is there, at each new connection. */
  readonly presence: PresenceChange;
  readonly connection: ConnectionState;
  /** Messages were missed for good, or the server's history was restored: what is in `state` begins anew. */
  readonly reset: RoomState;
}

export class RoomListeners {
  readonly #events = new Emitter<RoomEvents>();
  /** How far they were told. Not the stream of the state: that one may go on from an earlier visit. */
  #told: Stream | null = null;
  #stopped = false;

  /** Calls `listener` after each such event, until cancelled. */
  on<Name extends keyof RoomEvents>(name: Name, listener: (value: RoomEvents[Name]) => void): Cancel {
    return this.#events.on(name, listener);
  }

  emit<Name extends keyof RoomEvents>(name: Name, value: RoomEvents[Name]): void {
    this.#events.emit(name, value);
  }

  /** Tells what a frame brings. `state`: that of the room, which has it already. */
  hear(frame: RoomFrame, state: RoomState): void {
    const heard = hear(this.#told, frame);
    this.#told = heard.stream;
    this.#tell(heard, state);
    if (this.#stopped) return;
    switch (frame.type) {
      case 'hello':
        this.emit('presence', { online: frame.online, joined: [], left: [], users: frame.users });
        return;
      case 'join':
      case 'leave':
      case 'presence':
        this.emit('presence', presenceChange(frame));
        return;
      default:
        return;
    }
  }

  /** Tells of no frame any more. */
  stop(): void {
    this.#stopped = true;
  }

  #tell({ messages, isReset }: Heard, state: RoomState): void {
    if (isReset && !this.#stopped) this.emit('reset', state);
    for (const message of messages) {
      // A listener may have left.
      if (this.#stopped) return;
      this.emit('message', message);
    }
  }
}

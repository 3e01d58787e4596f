/**
 * A protocol on the wire: how it encodes what a room sends (`RoomWire`) and what a socket is sent besides
 * (`SocketWire`). Everything in which the protocols differ is in implementations of these, but that only chatroom.v2
 * resumes.
 *
 * Encoders return JSON, or null where the protocol has no such frame and the client gets nothing.
 */
import type { ErrorCode } from '../../../../protocol/errors.ts';
import type { Person } from '../../../../protocol/events.ts';
import type { MessageRow } from '../../../data/storage/store.ts';

/** Why a text is not a frame, and the `cid` or `ref` and the room that the error frame refers to. */
export interface Refused {
  refused: ErrorCode;
  cid?: string;
  ref?: string;
  roomId?: number;
}

/** A message with its full JSON, which most recipients get as it is. */
export interface EncodedMessage {
  readonly row: MessageRow;
  readonly json: string;
}

/** A message as the room's live seats get it. */
export interface LiveMessage extends EncodedMessage {
  /** It comes for the first time, though it may have changed by now. */
  readonly isNew: boolean;
  /** Later changes superseded the numbers just before it, so nothing comes for them. */
  readonly isAfterGap: boolean;
}

/** A user's first socket in a room opened, or the last one closed; `online` counts the users after that. */
export interface PresenceChange {
  kind: 'join' | 'leave';
  roomId: number;
  person: Person;
  online: number;
}

export interface PresenceSummary {
  roomId: number;
  online: number;
  joined: Person[];
  left: Person[];
}

export interface TypingChange {
  roomId: number;
  userId: number;
  username: string;
  isTyping: boolean;
}

/** The room as a socket finds it. `users` is called only by protocols that list them. */
export interface RoomView {
  roomId: number;
  /** The user whose socket it is. */
  person: Person;
  online: number;
  users(): Person[];
}

export interface Entry extends RoomView {
  /** The seq of the last message that was delivered. */
  head: number;
  resumed: boolean;
}

export interface Ack {
  roomId: number;
  cid: string;
  id: number;
  seq: number;
  createdAt: number;
  duplicate: boolean;
}

export interface Refusal {
  code: ErrorCode;
  roomId?: number | undefined;
  cid?: string | undefined;
  ref?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** What a room sends. Its frames are encoded once for all seats of one wire. */
export interface RoomWire {
  /** Whether the changes of a large room come as one summary; otherwise each comes as a frame of its own. */
  readonly summarizesPresence: boolean;

  message(message: LiveMessage): string | null;
  presenceChange(change: PresenceChange): string | null;
  presenceSummary(summary: PresenceSummary): string | null;
  /** The present state, for a seat that missed changes. */
  presenceState(room: RoomView): string | null;
  typing(change: TypingChange): string | null;
}

/** What a socket is sent apart from what its rooms send. */
export interface SocketWire {
  readonly closeCodes: { readonly shutdown: number; readonly slowConsumer: number };

  ack(ack: Ack): string | null;
  pong(t?: number | string): string;
  error(refusal: Refusal): string;
  restart(inMs: number): string | null;
}

/**
 * What Roomful keeps, and what it promises about keeping it. Every adapter holds all of this.
 *
 * - A write's promise resolves only after the write is durable: it survives the death of the process and of the
 *   machine. What was refused (an outcome other than success) has changed nothing.
 * - Writes take effect in the order of the calls and resolve in that order.
 * - A write that rejects with `service_unavailable` changed nothing and may be repeated. When a commit's fate is not
 *   known, its promise never settles and `onFatal` is called: the process must end and find out by restarting.
 * - A read sees every write that resolved before the read was called.
 */

export interface UserRow {
  id: number;
  username: string;
}

export interface RoomRow {
  id: number;
  name: string;
  /** The number of the room's last durable event; 0 when nothing was said yet. */
  seq: number;
}

export interface NewMessage {
  roomId: number;
  userId: number;
  /** Unique per user and room, for ever; null: no protection from doubles. */
  cid: string | null;
  content: string;
  now: number;
}

export interface MessageRow {
  id: number;
  roomId: number;
  seq: number;
  userId: number;
  username: string;
  cid: string | null;
  content: string;
  createdAt: number;
}

export type AppendOutcome =
  /** Stored: the room's next seq, an id above all ids before it, a time not before the room's last one. */
  | { outcome: 'stored'; id: number; seq: number; createdAt: number }
  /** The same cid with the same content was stored before; these are the first one's. */
  | { outcome: 'duplicate'; id: number; seq: number; createdAt: number }
  | { outcome: 'cid_conflict' }
  | { outcome: 'room_not_found' }
  | { outcome: 'user_not_found' };

export type CreateUserOutcome = { outcome: 'created'; user: UserRow } | { outcome: 'taken' };
export type CreateRoomOutcome =
  | { outcome: 'created'; room: RoomRow }
  | { outcome: 'taken' }
  | { outcome: 'user_not_found' };

export interface SessionOwner {
  sessionId: number;
  userId: number;
  username: string;
}

export type ExchangeOutcome =
  /** The successor is live: just stored, or stored by the first try of the same exchange. */
  | ({ outcome: 'exchanged' } & SessionOwner)
  | { outcome: 'invalid' }
  /** An old token came back: the whole session is revoked now. */
  | { outcome: 'theft'; sessionId: number };

export interface Exchange {
  hash: string;
  successorHash: string;
  successorExpiresAt: number;
  /** Names this exchange, so that its repeat can be told from theft; null: it cannot be repeated. */
  retryKey: string | null;
  now: number;
}

export interface SavedRoster {
  savedAt: number;
  roster: { roomId: number; userId: number; username: string }[];
}

export interface HistoryQuery {
  roomId: number;
  limit: number;
  beforeId?: number | undefined;
  afterId?: number | undefined;
}

export interface MessagesAfterQuery {
  roomId: number;
  seq: number;
  limit: number;
  /** Of content, as UTF-8. */
  maxBytes?: number | undefined;
}

export interface RoomsQuery {
  limit: number;
  beforeId?: number | undefined;
  /** A part of the name's key, matched literally. */
  keyPart?: string | undefined;
}

export interface Store {
  /** Taken: another user has the key, or the name is disguised and shares one of its looks with another's. */
  createUser(user: {
    username: string;
    key: string;
    looks: readonly string[];
    isDisguised: boolean;
    passwordHash: string;
    now: number;
  }): Promise<CreateUserOutcome>;
  findUser(key: string): Promise<(UserRow & { passwordHash: string }) | undefined>;

  createSession(session: {
    userId: number;
    userAgent: string;
    refreshHash: string;
    expiresAt: number;
    now: number;
  }): Promise<{ sessionId: number }>;
  /** Judged and done in one step: of any number of racers with one token, one wins. */
  exchangeRefreshToken(exchange: Exchange): Promise<ExchangeOutcome>;
  /** Revokes the session of a live refresh token. */
  revokeSession(of: { refreshHash: string; now: number }): Promise<{ sessionId: number } | undefined>;
  sessionsRevokedSince(time: number): Promise<{ sessionId: number }[]>;

  /** Taken: by the same rules as a user's name. */
  createRoom(room: {
    name: string;
    key: string;
    looks: readonly string[];
    isDisguised: boolean;
    ownerId: number;
    now: number;
  }): Promise<CreateRoomOutcome>;
  findRoom(id: number): Promise<RoomRow | undefined>;
  /** Newest first. */
  listRooms(query: RoomsQuery): Promise<RoomRow[]>;

  append(message: NewMessage): Promise<AppendOutcome>;
  /** Ascending; with `beforeId` the last ones before it, with `afterId` the first ones after it, else the last ones. */
  history(query: HistoryQuery): Promise<MessageRow[]>;
  /**
   * The messages whose latest change is after `seq`, by that change: at most `limit`, and of long ones only as many as have
   * `maxBytes` together, but always the first.
   */
  messagesAfter(query: MessagesAfterQuery): Promise<MessageRow[]>;

  /** True for exactly one caller per jti, for ever as far as the ticket's life goes. */
  spendTicket(ticket: { jti: string; expiresAt: number }): Promise<boolean>;
  isTicketSpent(jti: string): Promise<boolean>;

  /** Keeps who is online over a planned restart. */
  saveRoster(roster: SavedRoster): Promise<void>;
  /** The roster that was saved, once: the next call gets none. */
  takeRoster(): Promise<SavedRoster | undefined>;

  /** Forgets what has expired before `now`: spent tickets, refresh tokens, sessions. */
  purge(before: { now: number }): Promise<void>;
  /** Rejects when the database cannot take a write now. */
  check(): Promise<void>;
  /** Finishes what was accepted, then closes; what comes later is refused. May be called again. */
  close(): Promise<void>;
}

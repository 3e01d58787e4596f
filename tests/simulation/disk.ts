/**
 * What a database holds, as plain maps: each method is one statement that has happened, or not. The store in
 * `memory-store.ts` says when; what is here when the process dies is what the next process finds.
 */
import type {
  AppendOutcome,
  CreateRoomOutcome,
  CreateUserOutcome,
  Exchange,
  ExchangeOutcome,
  HistoryQuery,
  MessageRow,
  MessagesAfterQuery,
  NewMessage,
  NewRoom,
  NewSession,
  NewUser,
  Reads,
  RoomRow,
  RoomsQuery,
  SavedRoster,
  UserRow,
  Writes,
} from '../../server/storage/store.ts';

const HOUR_MS = 3_600_000;
const KEEP_SESSIONS_MS = 24 * HOUR_MS;
const KEEP_SPENT_MS = 2 * HOUR_MS;
const RACE_WINDOW_MS = 10_000;

interface User extends UserRow {
  key: string;
  looks: readonly string[];
  passwordHash: string;
}

interface Session {
  id: number;
  user: User;
  expiresAt: number;
  revokedAt: number | null;
}

interface RefreshToken {
  session: Session;
  expiresAt: number;
  exchangedAt: number | null;
  retryKey: string | null;
}

interface Room {
  id: number;
  name: string;
  key: string;
  looks: readonly string[];
  /** The message with seq n is number n - 1. */
  messages: MessageRow[];
}

export class Disk implements Writes, Reads {
  /** The name of its life: another one when a backup was restored. */
  readonly epoch: string;
  readonly #users = new Map<number, User>();
  readonly #usersByKey = new Map<string, User>();
  readonly #sessions = new Map<number, Session>();
  readonly #tokens = new Map<string, RefreshToken>();
  readonly #rooms = new Map<number, Room>();
  readonly #roomKeys = new Set<string>();
  readonly #byCid = new Map<string, MessageRow>();
  readonly #spent = new Map<string, number>();
  #sessionIds = 0;
  #messageIds = 0;
  #roster: string | undefined;

  constructor(epoch = 'first life') {
    this.epoch = epoch;
  }

  createUser({ username, key, looks, isDisguised, passwordHash }: NewUser): CreateUserOutcome {
    const others = [...this.#users.values()];
    const isAlike = isDisguised && others.some((other) => other.looks.some((look) => looks.includes(look)));
    if (this.#usersByKey.has(key) || isAlike) return { outcome: 'taken' };
    const created = { id: this.#users.size + 1, username, key, looks, passwordHash };
    this.#users.set(created.id, created);
    this.#usersByKey.set(key, created);
    return { outcome: 'created', user: { id: created.id, username } };
  }

  findUser(key: string): (UserRow & { passwordHash: string }) | undefined {
    const user = this.#usersByKey.get(key);
    return user && { id: user.id, username: user.username, passwordHash: user.passwordHash };
  }

  createSession(of: NewSession): { sessionId: number } {
    const user = this.#users.get(of.userId);
    if (!user) throw new Error('a session of nobody');
    const session = { id: ++this.#sessionIds, user, expiresAt: of.expiresAt, revokedAt: null };
    this.#sessions.set(session.id, session);
    this.#addToken(of.refreshHash, session, of.expiresAt);
    return { sessionId: session.id };
  }

  exchangeRefreshToken(exchange: Exchange): ExchangeOutcome {
    const { hash, successorHash, successorExpiresAt, retryKey, now } = exchange;
    const token = this.#tokens.get(hash);
    if (!token || token.session.revokedAt !== null || token.expiresAt <= now) return { outcome: 'invalid' };
    const { session } = token;
    const { id: userId, username } = session.user;
    const exchanged = { outcome: 'exchanged', sessionId: session.id, userId, username } as const;
    if (token.exchangedAt === null) {
      Object.assign(token, { exchangedAt: now, retryKey });
      this.#addToken(successorHash, session, successorExpiresAt);
      session.expiresAt = successorExpiresAt;
      return exchanged;
    }
    if (token.retryKey !== null && token.retryKey === retryKey) {
      const isUnused = this.#tokens.get(successorHash)?.exchangedAt === null;
      return isUnused ? exchanged : { outcome: 'invalid' };
    }
    const ageMs = now - token.exchangedAt;
    if (ageMs <= RACE_WINDOW_MS) return { outcome: 'invalid' };
    session.revokedAt = now;
    return { outcome: 'theft', sessionId: session.id };
  }

  revokeSession({
    refreshHash,
    now,
  }: {
    refreshHash: string;
    now: number;
  }): { sessionId: number } | undefined {
    const token = this.#tokens.get(refreshHash);
    if (!token || token.session.revokedAt !== null) return undefined;
    if (token.exchangedAt !== null || token.expiresAt <= now) return undefined;
    token.session.revokedAt = now;
    return { sessionId: token.session.id };
  }

  sessionsRevokedSince(time: number): { sessionId: number }[] {
    return [...this.#sessions.values()]
      .filter(({ revokedAt }) => revokedAt !== null && revokedAt >= time)
      .map(({ id }) => ({ sessionId: id }));
  }

  createRoom({ name, key, looks, isDisguised, ownerId }: NewRoom): CreateRoomOutcome {
    if (!this.#users.has(ownerId)) return { outcome: 'user_not_found' };
    const others = [...this.#rooms.values()];
    const isAlike = isDisguised && others.some((other) => other.looks.some((look) => looks.includes(look)));
    if (this.#roomKeys.has(key) || isAlike) return { outcome: 'taken' };
    const room = { id: this.#rooms.size + 1, name, key, looks, messages: [] };
    this.#rooms.set(room.id, room);
    this.#roomKeys.add(key);
    return { outcome: 'created', room: rowOf(room) };
  }

  findRoom(id: number): RoomRow | undefined {
    const room = this.#rooms.get(id);
    return room && rowOf(room);
  }

  listRooms({ limit, beforeId = Number.POSITIVE_INFINITY, keyPart = '' }: RoomsQuery): RoomRow[] {
    return [...this.#rooms.values()]
      .filter(({ id, key }) => id < beforeId && key.includes(keyPart))
      .sort((a, b) => b.id - a.id)
      .slice(0, limit)
      .map(rowOf);
  }

  append({ roomId, userId, cid, content, now }: NewMessage): AppendOutcome {
    const room = this.#rooms.get(roomId);
    if (!room) return { outcome: 'room_not_found' };
    const user = this.#users.get(userId);
    if (!user) return { outcome: 'user_not_found' };
    const cidKey = `${userId} ${roomId} ${cid}`;
    const first = cid === null ? undefined : this.#byCid.get(cidKey);
    if (first && first.content !== content) return { outcome: 'cid_conflict' };
    if (first) return { outcome: 'duplicate', id: first.id, seq: first.seq, createdAt: first.createdAt };
    const id = ++this.#messageIds;
    const seq = room.messages.length + 1;
    const createdAt = Math.max(now, room.messages.at(-1)?.createdAt ?? 0);
    const message = { id, roomId, seq, userId, username: user.username, cid, content, createdAt };
    room.messages.push(message);
    if (cid !== null) this.#byCid.set(cidKey, message);
    return { outcome: 'stored', id, seq, createdAt };
  }

  /** The whole history of a room, ascending. */
  messages(roomId: number): readonly MessageRow[] {
    return this.#rooms.get(roomId)?.messages ?? [];
  }

  history({ roomId, limit, beforeId, afterId }: HistoryQuery): MessageRow[] | undefined {
    const all = this.#rooms.get(roomId)?.messages;
    if (!all) return undefined;
    if (afterId !== undefined) return all.filter(({ id }) => id > afterId).slice(0, limit);
    return all.filter(({ id }) => beforeId === undefined || id < beforeId).slice(-limit);
  }

  messagesAfter({
    roomId,
    seq,
    limit,
    maxBytes = Number.POSITIVE_INFINITY,
  }: MessagesAfterQuery): MessageRow[] {
    const rows = this.messages(roomId).slice(seq, seq + limit);
    let bytes = 0;
    const tooMany = rows.findIndex(({ content }) => {
      bytes += Buffer.byteLength(content);
      return bytes > maxBytes;
    });
    return tooMany < 0 ? rows : rows.slice(0, Math.max(1, tooMany));
  }

  spendTicket({ jti, expiresAt }: { jti: string; expiresAt: number }): boolean {
    if (this.#spent.has(jti)) return false;
    this.#spent.set(jti, expiresAt);
    return true;
  }

  isTicketSpent(jti: string): boolean {
    return this.#spent.has(jti);
  }

  saveRoster(roster: SavedRoster): void {
    this.#roster = JSON.stringify(roster);
  }

  takeRoster(): SavedRoster | undefined {
    const roster = this.#roster;
    this.#roster = undefined;
    return roster === undefined ? undefined : JSON.parse(roster);
  }

  purge({ now }: { now: number }): void {
    for (const [hash, { expiresAt }] of this.#tokens) if (expiresAt < now) this.#tokens.delete(hash);
    for (const [id, { expiresAt }] of this.#sessions) {
      if (expiresAt < now - KEEP_SESSIONS_MS) this.#sessions.delete(id);
    }
    for (const [jti, expiresAt] of this.#spent) if (expiresAt < now - KEEP_SPENT_MS) this.#spent.delete(jti);
  }

  /** All of it as it is now. */
  copy(epoch = this.epoch): Disk {
    const copy = new Disk(epoch);
    const sessions = new Map([...this.#sessions.values()].map((session) => [session, { ...session }]));
    for (const [id, user] of this.#users) copy.#users.set(id, user);
    for (const [key, user] of this.#usersByKey) copy.#usersByKey.set(key, user);
    for (const session of sessions.values()) copy.#sessions.set(session.id, session);
    for (const [hash, token] of this.#tokens) {
      copy.#tokens.set(hash, { ...token, session: sessions.get(token.session) ?? token.session });
    }
    for (const [id, room] of this.#rooms) copy.#rooms.set(id, { ...room, messages: [...room.messages] });
    for (const key of this.#roomKeys) copy.#roomKeys.add(key);
    for (const [key, message] of this.#byCid) copy.#byCid.set(key, message);
    for (const [jti, expiresAt] of this.#spent) copy.#spent.set(jti, expiresAt);
    copy.#sessionIds = this.#sessionIds;
    copy.#messageIds = this.#messageIds;
    copy.#roster = this.#roster;
    return copy;
  }

  #addToken(hash: string, session: Session, expiresAt: number): void {
    this.#tokens.set(hash, { session, expiresAt, exchangedAt: null, retryKey: null });
  }
}

function rowOf({ id, name, messages }: Room): RoomRow {
  return { id, name, seq: messages.length };
}

/**
 * A user's own log: memberships, the inbox, bookmarks and followed threads, in the order of their changes. The bus
 * announces a change, the log is read, and every line of the user gets it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ID } from '../../../../protocol/limits.ts';
import type { UserRole } from '../../../../protocol/people.ts';
import type { NotifyNotice } from '../../../data/bus/bus.ts';
import type {
  EntryRow,
  InboxLogRow,
  LoggedMembershipRow,
  MembershipRow,
  SavedMarkRow,
  Store,
  ThreadMarkRow,
  UserLogRows,
} from '../../../data/storage/store.ts';
import { InOrder, type Page } from '../log/in-order.ts';

const PAGE = 200;
/** How long a room may take to deliver what it has, before its loss is sent without it. */
const SETTLE_MAX_MS = 1000;
const SETTLE_POLL_MS = 5;

/** The number up to which everything of a room has been delivered here; infinite for a room that nobody here has. */
export type DeliveredIn = (roomId: number) => number;

export interface UserLogParts {
  store: Store;
  deliveredIn: DeliveredIn;
  /** Reads rooms that may come onto lists. */
  reading<T>(read: () => Promise<T>): Promise<T>;
}

/** `entry`: the room, where a line does not know it yet. */
export type MemberLogRow = { kind: 'member'; member: LoggedMembershipRow; entry: EntryRow | undefined };
/** What is the user's own beside memberships. */
export type OwnLogRow =
  | { kind: 'inbox'; inbox: InboxLogRow }
  | { kind: 'saved'; saved: SavedMarkRow }
  | { kind: 'thread'; thread: ThreadMarkRow };
export type UserLogRow = MemberLogRow | OwnLogRow;
/** A row of the log. Earlier roles are not kept: each page has the role as it is. */
type LoggedRow = UserLogRow | { kind: 'role'; role: UserRole; userSeq: number };

export interface UserLogPage extends Page<UserLogRow> {
  upTo: number;
  role: UserRole;
  /** Changes at and below this number may be missing. */
  floor: number;
}

/** A socket, as the log sees it. */
export interface Judged {
  /** The user's role has changed, or may have: what the user may not read any more is closed now. */
  judge(role: UserRole): void;
  /** The user has left this room, and the log has not said so yet. */
  left(roomId: number): void;
}

/** One that gets every row. */
export interface UserLogReader extends Judged {
  /** Whether the client knows of this room. */
  knows(roomId: number): boolean;
  tell(row: UserLogRow): void;
  /** A message notifies the user. */
  notify(notice: NotifyNotice): void;
}

export class UserLog extends InOrder<LoggedRow> {
  readonly #parts: UserLogParts;
  readonly #userId: number;
  readonly #readers = new Set<UserLogReader>();
  /** Beside the readers, those that are about to read. */
  readonly #judged = new Set<Judged>();
  #role: UserRole = 'guest';
  /** The role of the page that is being delivered. */
  #roleOfPage: UserRole | null = null;

  constructor(parts: UserLogParts, userId: number) {
    super();
    this.#parts = parts;
    this.#userId = userId;
  }

  async open(): Promise<void> {
    const log = await this.#parts.store.userLog({ userId: this.#userId, after: MAX_ID, limit: 1 });
    this.#role = log.role;
    this.startAt(log.seq);
  }

  /** The user's role at the head of the log. */
  get role(): UserRole {
    return this.#role;
  }

  /** From now on it hears of every change of the role. Every call needs one `delete`. */
  attach(judged: Judged): void {
    this.#judged.add(judged);
  }

  /** From now on the reader gets every change. */
  add(reader: UserLogReader): void {
    this.#readers.add(reader);
  }

  isRead(reader: UserLogReader): boolean {
    return this.#readers.has(reader);
  }

  delete(reader: UserLogReader): void {
    this.#readers.delete(reader);
    this.#judged.delete(reader);
  }

  /** Resolves when the changes up to `seq` have been delivered, or when the log does not have them. */
  reach(seq: number): Promise<void> {
    return this.deliverUpTo(seq, async () => {
      const { users } = await this.#parts.store.heads({ roomIds: [], userIds: [this.#userId] });
      return users[0]?.seq ?? 0;
    });
  }

  /** The changes after this number, with the rooms that are not known. */
  async read(after: number, knows: (roomId: number) => boolean): Promise<UserLogPage> {
    const userId = this.#userId;
    const log = await this.#parts.store.userLog({ userId, after, limit: PAGE });
    const { members, upTo, floor, role } = log;
    const isIn = ({ leftAt, hidden, roomId }: MembershipRow) => leftAt === null && !hidden && !knows(roomId);
    const roomIds = members.filter(isIn).map(({ roomId }) => roomId);
    for (const { roomId, leftAt } of members) if (leftAt !== null) await this.#settle(roomId);
    const { store, reading } = this.#parts;
    const query = { userId, roomIds, maxDms: roomIds.length };
    const entries = roomIds.length === 0 ? [] : await reading(() => store.entries(query));
    const byRoom = new Map(entries.map((entry) => [entry.room.id, entry]));
    // Numbers without a row belong to changes that later ones superseded, or that have no frame.
    return { rows: inOrder(log, byRoom), upTo, floor, role };
  }

  /** The notice of a removal comes before the loss of the room: both are announced, and the room may be behind. */
  async #settle(roomId: number): Promise<void> {
    if (this.#parts.deliveredIn(roomId) === Number.POSITIVE_INFINITY) return;
    const seq = (await this.#parts.store.findRoom(roomId))?.seq ?? 0;
    const deadline = performance.now() + SETTLE_MAX_MS;
    while (this.#parts.deliveredIn(roomId) < seq && performance.now() < deadline) await sleep(SETTLE_POLL_MS);
  }

  /** It has no place in the log, and is not repeated. */
  notify(notice: NotifyNotice): void {
    for (const reader of this.#readers) reader.notify(notice);
  }

  /** `role`: the user has this role from this number on. */
  hearRole(seq: number, role: UserRole): void {
    this.announce(seq, { kind: 'role', role, userSeq: seq });
    // What comes before it is still being read. Until then nobody knows what the user is a member of.
    if (this.isBehind) this.#judge(role);
  }

  /** The leave of a public room has no notice in the room's log, so the room does not close what is open of it. */
  hearLeft(seq: number, roomId: number): void {
    const isNew = seq > this.head;
    this.announce(seq);
    if (isNew) for (const judged of this.#everybody()) judged.left(roomId);
  }

  protected numberOf(row: LoggedRow): number {
    return row.kind === 'role' ? row.userSeq : userSeqOf(row);
  }

  protected async readAfter(after: number): Promise<UserLogPage> {
    const page = await this.read(after, (roomId) =>
      [...this.#readers].every((reader) => reader.knows(roomId)),
    );
    this.#roleOfPage = page.role;
    return page;
  }

  protected override afterPage(): void {
    if (this.#roleOfPage !== null) this.#setRole(this.#roleOfPage);
    this.#roleOfPage = null;
  }

  protected deliver(row: LoggedRow): void {
    if (row.kind === 'role') return this.#setRole(row.role);
    for (const reader of this.#readers) reader.tell(row);
  }

  #setRole(role: UserRole): void {
    if (role === this.#role) return;
    this.#role = role;
    this.#judge(role);
  }

  #judge(role: UserRole): void {
    for (const judged of this.#everybody()) judged.judge(role);
  }

  #everybody(): ReadonlySet<Judged> {
    return new Set([...this.#readers, ...this.#judged]);
  }
}

/** The number of the change in the user's log. */
export function userSeqOf(row: UserLogRow): number {
  switch (row.kind) {
    case 'member':
      return row.member.userSeq;
    case 'inbox':
      return row.inbox.userSeq;
    case 'saved':
      return row.saved.userSeq;
    case 'thread':
      return row.thread.userSeq;
  }
}

function inOrder(
  { members, inbox, saved, threads }: UserLogRows,
  entries: ReadonlyMap<number, EntryRow>,
): UserLogRow[] {
  const rows: UserLogRow[] = [
    ...members.map((member) => ({ kind: 'member' as const, member, entry: entries.get(member.roomId) })),
    ...inbox.map((entry) => ({ kind: 'inbox' as const, inbox: entry })),
    ...saved.map((mark) => ({ kind: 'saved' as const, saved: mark })),
    ...threads.map((thread) => ({ kind: 'thread' as const, thread })),
  ];
  return rows.length === members.length ? rows : rows.sort((a, b) => userSeqOf(a) - userSeqOf(b));
}

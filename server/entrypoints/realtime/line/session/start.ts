/** How a line begins: the rooms of the user, then the user's log from where the client left off. */
import { DMS_LISTED, RESUME_MAX_BEHIND, UNREAD_AT_START } from '../../../../../protocol/limits.ts';
import type { EntryRow } from '../../../../data/storage/store.ts';
import type { UserLog, UserLogReader } from '../../user-log/user-log.ts';
import type { Lines } from '../lines.ts';
import type { BriefRooms } from '../room-list/brief-rooms.ts';
import type { OpenRooms } from './open-rooms.ts';

/** Direct conversations of which a line has the heads. Only the latest are sent; the others come back with their next message. */
const DMS_WITH_HEADS = 2000;

/** What the client has. */
export interface Known {
  epoch?: string | undefined;
  user_seq?: number | undefined;
  rooms?: Readonly<Record<string, number>> | undefined;
}

export interface Starting extends UserLogReader {
  readonly userId: number;
  isOpen(): boolean;
  /** The client has the user's log up to this number. `lost`: rooms of its list that are not the user's any more. */
  beginAt(userSeq: number, lost: readonly number[]): void;
  readonly brief: Pick<BriefRooms, 'add' | 'leaveUntold' | 'list'>;
  readonly open: Pick<OpenRooms, 'begin'>;
}

/** Resolves when the line has what it lacked, and is live in the log. */
export async function start(line: Starting, log: UserLog, known: Known, lines: Lines): Promise<void> {
  const head = log.head;
  const since = await positionOf(known, log, lines);
  const entries = await lines.heads.reading(async () => {
    const counted = since === null ? UNREAD_AT_START : 0;
    const read = await lines.parts.store.entries({ userId: line.userId, maxDms: DMS_WITH_HEADS, counted });
    for (const entry of read) line.brief.add(entry);
    return read;
  });
  const isComplete = since === null;
  const headOf = (roomId: number) => (isComplete ? undefined : known.rooms?.[String(roomId)]);
  const old = olderDms(entries).filter(({ room }) => headOf(room.id) === undefined);
  for (const { room } of old) line.brief.leaveUntold(room.id);
  const told = entries.filter((entry) => headOf(entry.room.id) !== entry.room.seq && !old.includes(entry));
  line.beginAt(since ?? head, isComplete ? [] : lostOf(known, entries));
  line.open.begin(entries);
  // In one step with `add`: a head that came before the list would be lost.
  await line.brief.list(told, isComplete);
  await catchUp(line, log, since ?? head);
}

/** The log says of each that it is gone, now or in a moment: the loss may be announced after the rooms were read. */
function lostOf({ rooms = {} }: Known, entries: readonly EntryRow[]): number[] {
  const listed = new Set(entries.map(({ room }) => room.id));
  return Object.keys(rooms)
    .map(Number)
    .filter((roomId) => !listed.has(roomId));
}

/** The direct conversations beyond those that are sent at the start. */
function olderDms(entries: readonly EntryRow[]): EntryRow[] {
  const dms = entries.filter(({ room }) => room.kind === 'dm');
  return dms.length <= DMS_LISTED ? [] : latestFirst(dms).slice(DMS_LISTED);
}

function latestFirst(entries: readonly EntryRow[]): EntryRow[] {
  return [...entries].sort((a, b) => (b.last?.createdAt ?? 0) - (a.last?.createdAt ?? 0));
}

/** The number in the user's log that the client has; null: it needs the whole list. */
async function positionOf({ epoch, user_seq: since }: Known, log: UserLog, lines: Lines) {
  if (epoch !== lines.parts.epoch || since === undefined) return null;
  // One process alone has delivered everything that a client can have.
  if (since > log.head && lines.parts.bus.crossingMs > 0) await log.reach(since);
  if (since > log.head || log.head - since > RESUME_MAX_BEHIND) return null;
  if (since === log.head) return since;
  const { floor, rows } = await log.read(log.head - 1, () => true);
  // A new role has a number and no frame. Where it is the last, no frame would tell the client that it has everything.
  return since < floor || rows.length === 0 ? null : since;
}

/** The line goes live at exactly the number that was sent. */
async function catchUp(line: Starting, log: UserLog, since: number): Promise<void> {
  for (let told = since; line.isOpen(); ) {
    if (told >= log.head) return log.add(line);
    const { rows, upTo } = await log.read(told, (roomId) => line.knows(roomId));
    for (const row of rows) line.tell(row);
    told = upTo;
  }
}

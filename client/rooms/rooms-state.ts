/** What is known of the user's rooms: those that the user is a member of, and direct conversations. */
import type { LastText, Membership, RoomEntry, Room as RoomInfo } from '../../protocol/rooms.ts';
import { type HeldMark, readSeqOf } from './held-mark.ts';

/** A room of the user, as a list of rooms shows it. */
export interface ListedRoom {
  readonly room: RoomInfo;
  /** One's own membership, as the server has confirmed it. */
  readonly me: Membership;
  /** The number of the room's last event that is known. */
  readonly seq: number;
  /** How many texts its main flow has had. */
  readonly number: number;
  /** How far the user has read, marks that the server has not confirmed included. */
  readonly readSeq: number;
  /** Texts of others after `readSeq`, 100 at most; null while they were never counted. */
  readonly unread: number | null;
  /** `at_least`: there are more. `estimate`: the server has to count again. */
  readonly count: 'exact' | 'at_least' | 'estimate';
  /** Unread entries of the inbox in its main flow. */
  readonly mentions: number;
  /** Those in its threads, each with its thread and its number; undefined while they were never counted. */
  readonly threadMentions?: readonly (readonly [threadId: number, seq: number])[] | undefined;
  /** The latest text; null when there is none. */
  readonly last: LastText | null;
  /** The highest number that open rooms left out, as a later change superseded it. */
  readonly leftOut?: number | undefined;
}

/** The rooms of the user. Immutable. */
export interface RoomsState {
  /** The signed-in user's id; 0 while nobody is signed in. */
  readonly userId: number;
  /** The database that this state belongs to; null until the server has named it. */
  readonly epoch: string | null;
  /** How far the user's own log has been received; null while there is no list. */
  readonly userSeq: number | null;
  /** `live`: the server has said which rooms have changed since the last connection. */
  readonly phase: 'behind' | 'live';
  /** Where the user's own log stood when the connection began. */
  readonly helloSeq: number;
  /** By room id. */
  readonly rooms: ReadonlyMap<number, ListedRoom>;
  /** How far open rooms were received before they are on the list, by room id. */
  readonly ahead: ReadonlyMap<number, number>;
  /** Read marks that the server has not confirmed, by room id. */
  readonly marks: ReadonlyMap<number, HeldMark>;
  /** People whose messages do not count as unread. */
  readonly blocked: ReadonlySet<number>;
}

/** The part of the state that is saved for the next visit. */
export interface RoomsSnapshot {
  readonly epoch: string;
  readonly userSeq: number;
  readonly rooms: readonly ListedRoom[];
}

export function initialRooms(userId: number): RoomsState {
  return {
    userId,
    epoch: null,
    userSeq: null,
    phase: 'behind',
    helloSeq: 0,
    rooms: new Map(),
    ahead: new Map(),
    marks: new Map(),
    blocked: new Set(),
  };
}

/**
 * Whether all is known that other devices did before the connection began. Until then the list may be an earlier one.
 */
export function isListCurrent({ phase, userSeq, helloSeq }: RoomsState): boolean {
  return phase === 'live' && (userSeq ?? 0) >= helloSeq;
}

/** What `restoreRooms` returns at the next visit; null while there is no list. */
export function roomsSnapshotOf({ epoch, userSeq, rooms }: RoomsState): RoomsSnapshot | null {
  return epoch === null || userSeq === null ? null : { epoch, userSeq, rooms: [...rooms.values()] };
}

/** An entry of the server, with what was known before. */
export function listed(
  entry: RoomEntry,
  before: ListedRoom | undefined,
  mark: HeldMark | undefined,
): ListedRoom {
  const { room, me, seq, number, mentions = before?.mentions ?? 0, last } = entry;
  // From the first count on, the user's own log says what comes and goes; a later count may be older than that.
  const counted = entry.mentions === undefined ? undefined : (entry.thread_mentions ?? []);
  const threadMentions = before?.threadMentions ?? counted;
  const readSeq = readSeqOf(me, mark);
  const base = { room, me, seq, number, mentions, threadMentions, last, readSeq };
  if (readSeq >= seq) return { ...base, unread: 0, count: 'exact', mentions: 0 };
  const { unread } = entry;
  if (unread !== undefined && readSeq === me.read_seq)
    return { ...base, unread, count: entry.inexact === undefined ? 'exact' : 'at_least' };
  if (before === undefined || before.unread === null)
    return { ...base, unread: unread ?? null, count: 'estimate' };
  if (before.seq === seq && before.readSeq === readSeq) return { ...before, ...base };
  return { ...base, unread: grown(before.unread, number - before.number), count: 'estimate' };
}

function grown(unread: number, by: number): number {
  return Math.max(0, unread + Math.max(0, by));
}

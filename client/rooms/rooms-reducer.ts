/**
 * The user's rooms as a pure reducer. Its inputs are frames and the user's read marks.
 *
 * The rules that its tests quote:
 * 1. A complete list replaces the one before; a partial one replaces the rooms that it names.
 * 2. The user's own log comes in order, each entry in its latest state. Numbers between were superseded, so the last
 *    number received is where the next connection starts.
 * 3. Another database has other rooms: everything is dropped, the unconfirmed marks, too.
 * 4. Counts follow heads and messages by the rules of `unread.ts`. Where those do not suffice, the count is an
 *    estimate, and the server is asked.
 * 5. A mark counts at once, and is kept until the server confirms it, or until another device has set one since
 *    (`held-mark.ts`).
 */
import type { ReadMark } from '../../protocol/frames/v2.ts';
import type { Membership, RoomEntry } from '../../protocol/rooms.ts';
import type { Frame } from '../connection/frames.ts';
import type { LineFrame } from '../connection/line-socket.ts';
import { placeOf } from '../room/stream.ts';
import { type HeldMark, isIdle, leftOf, onTopOf, readSeqOf, withLaterMark } from './held-mark.ts';
import { gap, onHead, onMessages, onOpened } from './room-news.ts';
import {
  isListCurrent,
  type ListedRoom,
  listed,
  type RoomsSnapshot,
  type RoomsState,
} from './rooms-state.ts';
import { withMention, withNews, withReadSeq, withThreadMention, withThreadRead } from './unread.ts';

export type RoomsAction =
  | { readonly type: 'restored'; readonly snapshot: RoomsSnapshot }
  | { readonly type: 'frame'; readonly frame: LineFrame }
  /** The connection is lost. */
  | { readonly type: 'lost' }
  /** A room resumes from this number, which a page of history may have brought. */
  | { readonly type: 'resuming'; readonly roomId: number; readonly since: number }
  | { readonly type: 'marked'; readonly marks: readonly ReadMark[] }
  /** The only people whose messages do not count as unread. */
  | { readonly type: 'blocked'; readonly ids: ReadonlySet<number> };

/** The state after the action. */
export function reduceRooms(state: RoomsState, action: RoomsAction): RoomsState {
  switch (action.type) {
    case 'restored':
      return onRestored(state, action.snapshot);
    case 'frame':
      return onFrame(state, action.frame);
    case 'lost':
      return state.phase === 'behind' ? state : { ...state, phase: 'behind' };
    case 'resuming':
      return changed(state, action.roomId, (room) =>
        action.since > room.seq ? withNews(room, gap(room, action.since, room.number)) : room,
      );
    case 'marked':
      return action.marks.reduce(withMark, state);
    case 'blocked':
      return { ...state, blocked: action.ids };
  }
}

function onRestored(state: RoomsState, { epoch, userSeq, rooms }: RoomsSnapshot): RoomsState {
  if (state.epoch !== null) return state;
  const held = rooms.map((room) => withReadSeq(room, readSeqOf(room.me, state.marks.get(room.room.id))));
  return { ...state, epoch, userSeq, rooms: new Map(held.map((room) => [room.room.id, room])) };
}

function onFrame(state: RoomsState, frame: LineFrame): RoomsState {
  switch (frame.type) {
    case 'hello':
      return onHello(state, frame);
    case 'rooms':
      return onRooms(state, frame);
    case 'room':
    case 'gone':
    case 'me':
      return onOwnLog(state, frame);
    case 'inbox':
    case 'saved':
    case 'thread_follow':
      return onOwnRow(state, frame);
    case 'head':
      return changed(state, frame.room_id, (room) => onHead(state, room, frame));
    case 'opened':
      return changed(state, frame.room_id, (room) => onOpened(room, frame));
    case 'message':
      if (!state.rooms.has(frame.room_id)) return withAhead(state, frame.room_id, placeOf(frame));
      return changed(state, frame.room_id, (room) => onMessages(state, room, [frame]));
    case 'batch':
      return changed(state, frame.room_id, (room) => onMessages(state, room, frame.events));
    case 'reaction':
    case 'thread':
      return changed(state, frame.room_id, (room) => ({
        ...room,
        seq: Math.max(room.seq, frame.changed_seq),
      }));
    case 'sync':
      if (!state.rooms.has(frame.room_id)) return withAhead(state, frame.room_id, frame.seq);
      return changed(state, frame.room_id, (room) => ({ ...room, seq: Math.max(room.seq, frame.seq) }));
    case 'reset':
      return changed(state, frame.room_id, (room) => withNews(room, gap(room, frame.seq, room.number)));
    default:
      return state;
  }
}

/** An open room may be received before the list that it is on. */
function withAhead(state: RoomsState, roomId: number, seq: number): RoomsState {
  return { ...state, ahead: new Map(state.ahead).set(roomId, seq) };
}

function onHello(state: RoomsState, { epoch, user_seq: helloSeq }: Frame<'hello'>): RoomsState {
  const next = { ...state, epoch, helloSeq, phase: 'behind', ahead: new Map() } as const;
  if (state.epoch === null || state.epoch === epoch) return next;
  return { ...next, userSeq: null, rooms: new Map(), marks: new Map() };
}

function onRooms(state: RoomsState, { rooms: entries, complete }: Frame<'rooms'>): RoomsState {
  const rooms = new Map(complete ? [] : state.rooms);
  const marks = new Map(state.marks);
  for (const entry of entries) put(state, { rooms, marks }, entry, complete);
  if (state.phase !== 'behind') return { ...state, rooms, marks };
  settleAll(rooms, marks);
  // The response to `start`. After a partial list, the user's own log follows from where this state is.
  const userSeq = complete ? Math.max(state.userSeq ?? 0, state.helloSeq) : state.userSeq;
  const next = { ...state, rooms, marks, phase: 'live', userSeq } as const;
  if (isListCurrent(next)) dropUnlisted(next);
  return next;
}

/** Drops the marks that the memberships already have. */
function settleAll(rooms: Map<number, ListedRoom>, marks: Map<number, HeldMark>): void {
  for (const id of [...marks.keys()]) {
    const room = rooms.get(id);
    if (room === undefined) continue;
    confirm(marks, id, room.me);
    rooms.set(id, withReadSeq(room, readSeqOf(room.me, marks.get(id))));
  }
}

/**
 * Drops the marks of rooms that are not on the list: nothing would settle them. Before the state is current, the user's
 * own log may still bring the room. `start` had all marks, so a room that the list will have again later has its mark.
 */
function dropUnlisted({ rooms, marks }: Lists): void {
  for (const id of [...marks.keys()]) if (!rooms.has(id)) marks.delete(id);
}

/** The membership of a room is this now. */
function confirm(marks: Map<number, HeldMark>, roomId: number, me: Membership): void {
  const mark = marks.get(roomId);
  const left = mark === undefined ? null : leftOf(mark, me);
  if (left === null) marks.delete(roomId);
  else marks.set(roomId, left);
}

interface Lists {
  rooms: Map<number, ListedRoom>;
  marks: Map<number, HeldMark>;
}

function put(state: RoomsState, { rooms, marks }: Lists, entry: RoomEntry, complete = false): void {
  const { id } = entry.room;
  const held = state.rooms.get(id);
  // A complete list may come without the log of the time before it.
  const before = complete && held ? { ...held, threadMentions: undefined } : held;
  const me = withLaterMark(entry.me, before?.me);
  confirm(marks, id, me);
  // A list that was read before the latest mark has no count for it.
  const current = me === entry.me ? entry : { ...entry, me, unread: undefined };
  // What the connection has brought of an open room may be ahead of a list or a count that was under way.
  const seq = Math.max(entry.seq, before?.seq ?? state.ahead.get(id) ?? 0);
  const next = listed(current, before, marks.get(id));
  rooms.set(id, seq === entry.seq ? next : withNews(next, gap(next, seq, before?.number ?? entry.number)));
}

function onOwnLog(state: RoomsState, frame: Frame<'room' | 'gone' | 'me'>): RoomsState {
  const next = withOwnLog(state, frame);
  if (!isListCurrent(state) && isListCurrent(next)) dropUnlisted(next);
  return next;
}

/** What is the user's own, and no membership. It changes which entries of the inbox are unread. */
function onOwnRow(state: RoomsState, frame: Frame<'inbox' | 'saved' | 'thread_follow'>): RoomsState {
  const next = { ...state, userSeq: Math.max(state.userSeq ?? 0, frame.user_seq) };
  if (frame.type === 'saved') return next;
  return changed(next, frame.room_id, (room) => {
    if (frame.type === 'thread_follow') return withThreadRead(room, frame);
    if (frame.thread_id !== undefined) return withThreadMention(room, frame.thread_id, frame);
    return frame.seq > room.readSeq ? withMention(room, frame.removed ? -1 : 1) : room;
  });
}

/** A room that the user is in now, one that was left, or a changed membership. */
function withOwnLog(state: RoomsState, frame: Frame<'room' | 'gone' | 'me'>): RoomsState & Lists {
  const userSeq = Math.max(state.userSeq ?? 0, frame.user_seq);
  const rooms = new Map(state.rooms);
  const marks = new Map(state.marks);
  const next = { ...state, userSeq, rooms, marks };
  if (frame.type === 'gone') {
    rooms.delete(frame.room_id);
    marks.delete(frame.room_id);
    return next;
  }
  if (frame.type === 'room') {
    put(state, { rooms, marks }, frame);
    return next;
  }
  confirm(marks, frame.room_id, frame.me);
  const before = rooms.get(frame.room_id);
  if (before === undefined) return next;
  const readSeq = readSeqOf(frame.me, marks.get(frame.room_id));
  rooms.set(frame.room_id, withReadSeq({ ...before, me: frame.me }, readSeq));
  return next;
}

function changed(state: RoomsState, roomId: number, change: (room: ListedRoom) => ListedRoom): RoomsState {
  const before = state.rooms.get(roomId);
  if (before === undefined) return state;
  return { ...state, rooms: new Map(state.rooms).set(roomId, change(before)) };
}

/** The user has read up to a message, or wants what follows it to be unread. */
function withMark(state: RoomsState, mark: ReadMark): RoomsState {
  const room = state.rooms.get(mark.room_id);
  const held = state.marks.get(mark.room_id);
  const isLess = mark.unread !== true && mark.seq <= (room?.readSeq ?? held?.seq ?? -1);
  if (isLess) return state;
  // With a mark on its way, it is the server that knows whether this one changes something.
  if (room !== undefined && held === undefined && isIdle(mark, room.me)) return state;
  const next = onTopOf(held, mark);
  const marks = new Map(state.marks).set(mark.room_id, next);
  if (room === undefined) return { ...state, marks };
  const read = withReadSeq(room, readSeqOf(room.me, next));
  return { ...state, marks, rooms: new Map(state.rooms).set(mark.room_id, read) };
}

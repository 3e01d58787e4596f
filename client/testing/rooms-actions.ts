/** A vocabulary for tests of the list of rooms. */
import type { Membership, RoomEntry } from '../../protocol/rooms.ts';
import type { LineFrame } from '../connection/line-socket.ts';
import { loadExcerpts } from '../rooms/excerpts.ts';
import { type RoomsAction, reduceRooms } from '../rooms/rooms-reducer.ts';
import { initialRooms, type RoomsState } from '../rooms/rooms-state.ts';
import { helloFrame, roomInfo } from './hello.ts';
import { ME } from './messages.ts';

await loadExcerpts();

export function membership(change: Partial<Membership> = {}): Membership {
  return {
    role: 'member',
    notify: null,
    notify_muted_until: null,
    threads: null,
    starred: false,
    hidden: false,
    read_seq: 0,
    read_set: 0,
    ...change,
  };
}

/** Room `id` with `seq` texts, read up to `read`, and counted by the server. */
export function entry(id: number, seq: number, read: number, change: Partial<RoomEntry> = {}): RoomEntry {
  return {
    room: roomInfo(id, { seq }),
    me: membership({ read_seq: read }),
    seq,
    number: seq,
    unread: seq - read,
    mentions: 0,
    last: null,
    ...change,
  };
}

export const took = (frame: LineFrame): RoomsAction => ({ type: 'frame', frame });
export const helloAt = (user_seq: number, epoch = 'e1') => took(helloFrame({ user_seq, epoch }));
export const roomsFrame = (rooms: RoomEntry[], complete = true) => took({ type: 'rooms', rooms, complete });
export const runRooms = (actions: readonly RoomsAction[], from: RoomsState = initialRooms(ME.id)) =>
  actions.reduce(reduceRooms, from);
/** Connected, with these rooms, at number 5 of the user's own log. */
export const inRooms = (rooms: RoomEntry[], ...more: RoomsAction[]) =>
  runRooms([helloAt(5), roomsFrame(rooms), ...more]);
/** Room 1's count: `3`, `3+` for at least 3, `~3` for an estimate, null when nobody has counted. */
export function countOf(state: RoomsState, id = 1): string | null | undefined {
  const room = state.rooms.get(id);
  if (room === undefined) return undefined;
  if (room.unread === null) return null;
  return { exact: `${room.unread}`, at_least: `${room.unread}+`, estimate: `~${room.unread}` }[room.count];
}

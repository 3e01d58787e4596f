/** A vocabulary for tests of the reducer: actions, and what to look at in a state. */
import type { Message } from '../../protocol/events.ts';
import type { Frame } from '../connection/frames.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';
import type { RoomFrame } from '../room/room-frame.ts';
import { type RoomAction, reduceRoom } from '../room/room-reducer.ts';
import { initialRoom, type RoomState } from '../room/room-state.ts';
import { openedFrame } from './hello.ts';
import { ME, message, ROOM, range } from './messages.ts';

/** The server has opened the room. */
export function hello(seq: number, change: Partial<Frame<'opened'>> & { epoch?: string } = {}): RoomFrame {
  const { epoch = 'e1', ...rest } = change;
  return { ...openedFrame({ seq, ...rest }), epoch };
}
export const reset = (seq: number, epoch = 'e1') => frame({ type: 'reset', room_id: ROOM, seq, epoch });

export const frame = (what: RoomFrame, now = 0): RoomAction => ({ type: 'frame', frame: what, now });
export const live = (seq: number, change?: Partial<Message>) => frame(message(seq, change));
export const sync = (seq: number) => frame({ type: 'sync', room_id: ROOM, seq });
export const batch = (events: Message[]) => frame({ type: 'batch', room_id: ROOM, events });
export const ack = (cid: string, seq: number) =>
  frame({ type: 'ack', room_id: ROOM, cid, id: seq * 10, seq, created_at: new Date(seq).toISOString() });
/** `seq`: the head of the room when the page was read; by default, its last message. */
export const latest = (
  messages: Message[],
  hasMore = false,
  seq = messages.at(-1)?.seq ?? 0,
  { epoch = 'e1', resets = 0, connections = 0 } = {},
): RoomAction => ({
  type: 'latest',
  page: { messages, has_more: hasMore, epoch, seq },
  resets,
  connections,
});
export const older = (
  messages: Message[],
  beforeId: number,
  { epoch = 'e1', resets = 0, seq = 0 } = {},
): RoomAction => ({
  type: 'older',
  page: { messages, has_more: messages[0]?.seq !== 1, epoch, seq },
  beforeId,
  resets,
  connections: 0,
});
export const opened: RoomAction = { type: 'connection', state: { status: 'open' } };
export const lost: RoomAction = { type: 'connection', state: { status: 'waiting', retryAt: 0 } };

export const item = (cid: string, change: Partial<OutboxItem> = {}): OutboxItem => ({
  cid,
  roomId: ROOM,
  content: `own ${cid}`,
  createdAt: 1,
  refusal: null,
  ...change,
});
export const outbox = (...items: OutboxItem[]): RoomAction => ({ type: 'outbox', items });

export const run = (actions: readonly RoomAction[], from: RoomState = initialRoom(ROOM, ME)) =>
  actions.reduce(reduceRoom, from);
export const seqs = (state: RoomState) => state.messages.map((held) => held.seq);
export const statuses = (state: RoomState) => state.pending.map((entry) => `${entry.cid} ${entry.status}`);

/** In the room, with messages 1 to `head`. */
export const inRoom = (head: number, ...more: RoomAction[]) =>
  run([opened, frame(hello(head)), latest(range(1, head)), ...more]);

/** A vocabulary for tests of the reducer: actions, and what to look at in a state. */
import type { Message } from '../../protocol/events.ts';
import type { Frame } from '../connection/frames.ts';
import type { RoomFrame } from '../connection/socket.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';
import { type RoomAction, reduceRoom } from '../room/room-reducer.ts';
import { initialRoom, type RoomState } from '../room/room-state.ts';
import { helloFrame } from './hello.ts';
import { ME, message, ROOM, range } from './messages.ts';

export function hello(seq: number, change: Partial<Frame<'hello'>> = {}): RoomFrame {
  return helloFrame({ seq, ...change });
}

export const frame = (what: RoomFrame, now = 0): RoomAction => ({ type: 'frame', frame: what, now });
export const live = (seq: number, change?: Partial<Message>) => frame(message(seq, change));
export const sync = (seq: number) => frame({ type: 'sync', seq });
export const batch = (events: Message[]) => frame({ type: 'batch', events });
export const ack = (cid: string, seq: number) =>
  frame({ type: 'ack', cid, id: seq * 10, seq, created_at: new Date(seq).toISOString() });
export const latest = (
  messages: Message[],
  hasMore = false,
  epoch: string | null = null,
  upTo = 0,
): RoomAction => ({
  type: 'latest',
  page: { messages, has_more: hasMore, epoch: epoch ?? 'e1', seq: upTo },
  epoch,
  upTo,
});
export const older = (messages: Message[], beforeId: number, epoch: string | null = 'e1'): RoomAction => ({
  type: 'older',
  page: { messages, has_more: messages[0]?.seq !== 1, epoch: epoch ?? 'e1', seq: 0 },
  beforeId,
  epoch,
  upTo: 0,
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
  run([latest(range(1, head)), opened, frame(hello(head)), ...more]);

import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Message } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import type { HistoryPage } from '../../protocol/rest.ts';
import { ApiError, type HistoryQuery } from '../api/api.ts';
import { Outbox } from '../outbox/outbox.ts';
import { memoryOutbox } from '../outbox/outbox-store.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Room } from './room.ts';
import { isLive, type RoomSnapshot, type RoomState, snapshotOf } from './room-state.ts';

const ME = { id: 7, username: 'ann' };

/** A room as a log behind a real socket, by the rules of chatroom.v2; the tests decide what reaches whom. */
class RoomServer {
  readonly log: Message[] = [];
  readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'chatroom.v2' });
  /** The queries of all connections. */
  readonly places: string[] = [];
  epoch = 'e1';
  /** Whether sockets get through; tickets and history always do. */
  admits = true;
  /** Whether a message that arrives is stored, and whether that is told. */
  stores = true;
  acks = true;
  /** What REST answers instead of what was asked for. */
  trouble: ApiError | null = null;
  /** The same, to those who ask for history only. */
  historyTrouble: ApiError | null = null;
  historyReads = 0;
  /** Holds pages of history back. */
  gate: Promise<void> = Promise.resolve();
  received = 0;

  constructor() {
    this.server.on('connection', (peer, request) => {
      if (!this.admits) return peer.terminate();
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      this.places.push(String(query));
      this.#welcome((frame) => peer.send(JSON.stringify(frame)), query);
      peer.on('message', (data) => {
        const frame = JSON.parse(String(data)) as { type: string; content: string; cid: string; t?: number };
        if (frame.type === 'ping') peer.send(JSON.stringify({ type: 'pong', t: frame.t }));
        if (frame.type !== 'message') return;
        this.received += 1;
        if (!this.stores) return;
        const known = this.log.find((message) => message.cid === frame.cid);
        const { id, seq, created_at } = known ?? this.post(frame.content, ME.id, frame.cid);
        if (this.acks) peer.send(JSON.stringify({ type: 'ack', cid: frame.cid, id, seq, created_at }));
      });
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  post(content: string, userId = 8, cid?: string): Message {
    const seq = this.log.length + 1;
    const message: Message = {
      type: 'message',
      id: seq * 10,
      room_id: 1,
      user_id: userId,
      username: `u${userId}`,
      content,
      created_at: new Date(seq).toISOString(),
      seq,
      ...(cid === undefined ? {} : { cid }),
    };
    this.log.push(message);
    this.tell(message);
    return message;
  }

  tell(frame: ServerFrameV2): void {
    for (const client of this.server.clients) client.send(JSON.stringify(frame));
  }

  drop(): void {
    for (const client of this.server.clients) client.terminate();
  }

  readonly api = {
    ticket: async () => {
      if (this.trouble !== null) throw this.trouble;
      return { ticket: 't', expires_in: 60 };
    },
    history: async (_room: number, { limit = 50, beforeId }: HistoryQuery = {}): Promise<HistoryPage> => {
      this.historyReads += 1;
      const trouble = this.historyTrouble ?? this.trouble;
      if (trouble !== null) throw trouble;
      // Small pages, so that there are several.
      const range = this.log.filter((message) => message.id < (beforeId ?? Number.POSITIVE_INFINITY));
      const messages = range.slice(-Math.min(limit, 10));
      await this.gate;
      return { messages, has_more: range.length > messages.length };
    },
  };

  #welcome(send: (frame: ServerFrameV2) => void, query: URLSearchParams): void {
    const since = query.has('since') ? Number(query.get('since')) : null;
    const seq = this.log.length;
    const isSame = since === 0 || query.get('epoch') === this.epoch;
    const resumed = since !== null && isSame && since <= seq && seq - since <= RESUME_MAX_BEHIND;
    send({
      type: 'hello',
      protocol: 2,
      room_id: 1,
      user_id: ME.id,
      username: ME.username,
      epoch: this.epoch,
      seq,
      online: 1,
      users: [{ user_id: ME.id, username: ME.username }],
      server_time: '',
      heartbeat_ms: 25_000,
      limits: { content: 4000, frame_bytes: 65_536, messages_per_second: 0, message_burst: 0 },
      resumed,
    });
    if (resumed) {
      send({ type: 'batch', events: this.log.slice(since) });
      send({ type: 'sync', seq });
    } else if (since !== null) send({ type: 'reset', seq, epoch: this.epoch });
  }
}

describe('a member of a room', () => {
  let server: RoomServer;
  let clock: ManualClock;
  let outbox: Outbox;
  let rooms: Room[];
  let ended: number;

  beforeEach(async () => {
    server = new RoomServer();
    clock = new ManualClock(1_000_000);
    outbox = new Outbox({ store: memoryOutbox(), clock });
    rooms = [];
    ended = 0;
    await new Promise((resolve) => server.server.once('listening', resolve));
  });

  afterEach(() => {
    for (const room of rooms) room.stop();
    server.drop();
    server.server.close();
  });

  function make(keep = 1000, restore?: () => Promise<RoomSnapshot | null>) {
    const room = new Room({
      roomId: 1,
      me: ME,
      api: server.api,
      renewSession: async () => {},
      outbox,
      socketUrl: server.url,
      keep,
      restore,
      onEnd: () => {
        ended += 1;
      },
      WebSocket,
      clock,
      random: () => 0,
    });
    rooms.push(room);
    const heard: string[] = [];
    room.on('message', ({ content }) => heard.push(content));
    const resets: number[] = [];
    room.on('reset', () => resets.push(heard.length));
    return { room, heard, resets };
  }

  function enter(keep?: number) {
    const made = make(keep);
    made.room.start();
    return made;
  }

  /** Resolves when the state is as wanted; time does not move meanwhile. */
  async function until(room: Room, wanted: (state: RoomState) => boolean): Promise<void> {
    while (!wanted(room.state)) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  async function soon(seen: () => boolean): Promise<void> {
    while (!seen()) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const isDown = (state: RoomState) => state.connection.status === 'waiting';
  async function comesBack(room: Room): Promise<void> {
    clock.advance(1000);
    await until(room, isLive);
  }
  const contents = (room: Room) => room.state.messages.map((message) => message.content);
  const logged = () => server.log.map((message) => message.content);
  const post = (count: number, name: string) => {
    for (let i = 1; i <= count; i++) server.post(`${name} ${i}`);
  };

  test('sees the end of history, then what is said; listeners hear what was said since they entered', async () => {
    post(15, 'old');
    const { room, heard } = enter();
    await until(room, isLive);
    expect(contents(room)).toEqual(logged().slice(-10));
    server.post('new');
    await until(room, (state) => state.messages.at(-1)?.content === 'new');
    expect(heard).toEqual(['new']);
    expect(room.state.hasOlder).toBe(true);
    await room.loadOlder();
    expect(contents(room)).toEqual(logged());
    expect(room.state.hasOlder).toBe(false);
  });

  test('hears what was said while the first page was on its way', async () => {
    post(3, 'old');
    let open = () => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const { room, heard } = enter();
    await until(room, (state) => state.connection.status === 'open');
    server.post('meanwhile');
    await until(room, (state) => state.ahead.length === 1);
    open();
    await until(room, isLive);
    expect(contents(room)).toEqual(logged());
    expect(heard).toEqual(['meanwhile']);
  });

  test('hears each message that was said since it entered, however many come before the first page', async () => {
    post(3, 'old');
    let open = () => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const { room, heard } = enter();
    await until(room, (state) => state.connection.status === 'open');
    post(40, 'before the page');
    await soon(() => heard.length === 40);
    // This page has the last ten of them, and the view begins with it.
    server.gate = Promise.resolve();
    open();
    await until(room, isLive);
    post(1, 'after the page');
    await until(room, (state) => state.head === 44);
    expect(heard).toEqual(logged().slice(3));
  });

  test('hears what is said while history is refused, and what a cut line missed meanwhile', async () => {
    post(5, 'old');
    server.historyTrouble = new ApiError(429, 'too many requests', { retryAfterMs: 3000 });
    const { room, heard, resets } = enter();
    await until(room, (state) => state.connection.status === 'open');
    post(30, 'said');
    await soon(() => heard.length === 30);
    server.drop();
    await until(room, isDown);
    post(60, 'missed');
    clock.advance(1000);
    await soon(() => heard.length === 90);
    expect(server.places).toEqual(['room_id=1', 'room_id=1&since=35&epoch=e1']);
    server.historyTrouble = null;
    clock.advance(3000);
    await until(room, isLive);
    post(1, 'new');
    await until(room, (state) => state.head === 96);
    expect(heard).toEqual(logged().slice(5));
    expect(resets).toEqual([]);
  });

  test('after reconnecting resumes where it left off, and misses nothing', async () => {
    post(2, 'old');
    const { room, heard } = enter();
    await until(room, isLive);
    server.drop();
    await until(room, isDown);
    post(35, 'missed');
    await comesBack(room);
    expect(server.places).toEqual(['room_id=1', 'room_id=1&since=2&epoch=e1']);
    expect(contents(room)).toEqual(logged());
    expect(heard).toEqual(logged().slice(2));
    expect(server.historyReads).toBe(1);
  });

  test('a gap in what it hears makes it resume', async () => {
    post(2, 'old');
    const { room } = enter();
    await until(room, isLive);
    server.log.push({ ...server.post('told'), seq: 4, id: 40, content: 'not told' });
    server.post('told again');
    await until(room, isDown);
    expect(contents(room)).toEqual(logged().slice(0, 3));
    await comesBack(room);
    expect(contents(room)).toEqual(logged());
  });

  test('reset: history is reloaded, what was said after it is told', async () => {
    post(2, 'old');
    const { room, heard, resets } = enter();
    await until(room, isLive);
    server.drop();
    await until(room, isDown);
    server.epoch = 'e2';
    server.log.length = 0;
    post(20, 'restored');
    await comesBack(room);
    expect(resets).toEqual([0]);
    expect(contents(room)).toEqual(logged().slice(-10));
    server.post('new');
    await until(room, (state) => state.messages.at(-1)?.content === 'new');
    expect(heard).toEqual(['new']);
  });

  /** Somebody brings a backup back, with so many messages. */
  const restore = async (room: Room, count: number) => {
    server.drop();
    await until(room, isDown);
    server.epoch = 'e2';
    server.log.length = 0;
    post(count, 'restored');
  };

  test('reset, and the line is cut before history comes: nothing old is told, and all that is new', async () => {
    post(20, 'old');
    const { room, heard, resets } = enter();
    await until(room, isLive);
    server.historyTrouble = new ApiError(503, 'service unavailable');
    await restore(room, 5);
    clock.advance(1000);
    await soon(() => resets.length === 1);
    server.drop();
    await until(room, isDown);
    clock.advance(2000);
    await until(room, (state) => state.connection.status === 'open');
    expect(contents(room)).toEqual([]);
    expect(heard).toEqual([]);
    server.historyTrouble = null;
    post(15, 'new');
    await soon(() => heard.length === 15);
    clock.advance(4000);
    await until(room, isLive);
    expect(contents(room)).toEqual(logged().slice(-10));
    expect(heard).toEqual(logged().slice(5));
    expect(resets).toEqual([0]);
  });

  test('older messages that were asked for before a reset are not taken for what they are not', async () => {
    post(20, 'old');
    const { room, heard } = enter();
    await until(room, isLive);
    let open = () => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    const older = room.loadOlder();
    await restore(room, 20);
    server.gate = Promise.resolve();
    await comesBack(room);
    open();
    await older;
    expect(contents(room)).toEqual(logged().slice(-10));
    expect(heard).toEqual([]);
  });

  test('another life of the database that goes on from an empty room is a reset, too', async () => {
    const { room, heard, resets } = enter();
    await until(room, isLive);
    await restore(room, 3);
    await comesBack(room);
    expect(server.places.at(-1)).toBe('room_id=1&since=0&epoch=e1');
    expect(resets).toEqual([0]);
    expect(heard).toEqual(logged());
    expect(contents(room)).toEqual(logged());
  });

  test('too far behind is a reset; what is said after it is told, though the page has it, too', async () => {
    post(3, 'old');
    const { room, heard, resets } = enter();
    await until(room, isLive);
    server.drop();
    await until(room, isDown);
    post(RESUME_MAX_BEHIND + 1, 'missed');
    server.historyTrouble = new ApiError(503, 'service unavailable');
    clock.advance(1000);
    await soon(() => resets.length === 1);
    post(12, 'new');
    await soon(() => heard.length === 12);
    server.drop();
    await until(room, isDown);
    server.historyTrouble = null;
    post(2, 'newer');
    clock.advance(2000);
    await until(room, isLive);
    await soon(() => heard.length === 14);
    expect(heard).toEqual(logged().slice(-14));
  });

  test('a listener that leaves hears no more', async () => {
    const { room, heard } = enter();
    await until(room, isLive);
    server.drop();
    await until(room, isDown);
    post(5, 'missed');
    room.on('message', ({ seq }) => seq === 2 && room.leave());
    clock.advance(1000);
    await soon(() => ended === 1);
    expect(heard).toEqual(['missed 1', 'missed 2']);
  });

  test('history that cannot be read is read again later', async () => {
    post(2, 'old');
    server.trouble = new ApiError(503, 'service unavailable', { retryAfterMs: 4000 });
    const { room } = enter();
    await until(room, isDown);
    server.trouble = null;
    clock.advance(4000);
    await until(room, isLive);
    expect(contents(room)).toEqual(logged());
  });

  test('holds at most about as many messages as it is to keep', async () => {
    const { room } = enter(10);
    await until(room, isLive);
    post(100, 'm');
    await until(room, (state) => state.head === 100);
    expect(room.state.messages.length).toBeLessThanOrEqual(15);
    expect(room.state.hasOlder).toBe(true);
  });

  test('forgets nothing from where somebody reads on, until nobody does', async () => {
    const { room } = enter(10);
    await until(room, isLive);
    post(5, 'm');
    await until(room, (state) => state.head === 5);
    room.hold(3);
    post(95, 'm');
    await until(room, (state) => state.head === 100);
    expect(room.state.messages.some((message) => message.seq === 3)).toBe(true);
    room.hold(null);
    server.post('one more');
    await until(room, (state) => state.head === 101);
    expect(room.state.messages.length).toBeLessThanOrEqual(15);
  });

  test('a place that is held is given up when ten times as many have come as it is to keep', async () => {
    const { room } = enter(10);
    await until(room, isLive);
    post(5, 'm');
    await until(room, (state) => state.head === 5);
    room.hold(3);
    post(100, 'm');
    await until(room, (state) => state.head === 105);
    expect(room.state.messages[0]?.seq).toBeLessThanOrEqual(3);
    post(900, 'm');
    await until(room, (state) => state.head === 1005);
    expect(room.state.messages.length).toBeLessThanOrEqual(15);
  });

  test('a place that is held before it is known how far the room goes is held all the same', async () => {
    post(200, 'old');
    const { room } = enter(10);
    room.hold(191);
    await until(room, isLive);
    post(50, 'm');
    await until(room, (state) => state.head === 250);
    expect(room.state.messages[0]?.seq).toBe(191);
  });

  /** What a visit that is over has kept. */
  async function kept(): Promise<RoomSnapshot | null> {
    const { room } = enter();
    await until(room, isLive);
    room.stop();
    return snapshotOf(room.state, 5);
  }

  test('what was kept from an earlier visit is there at once, and the connection brings what came since', async () => {
    post(15, 'old');
    const snapshot = await kept();
    post(5, 'missed');
    const reads = server.historyReads;
    const { room, heard } = make(1000, async () => snapshot);
    room.start();
    await until(room, (state) => state.messages.length > 0);
    expect(room.state).toMatchObject({ loaded: false, hasOlder: true, connections: 0 });
    expect(contents(room)).toEqual(logged().slice(10, 15));
    await until(room, isLive);
    expect(room.state.loaded).toBe(true);
    expect(contents(room)).toEqual(logged().slice(10));
    expect(server.places.at(-1)).toBe('room_id=1&since=15&epoch=e1');
    // They were said before this visit, and no page was needed for them.
    expect(heard).toEqual([]);
    expect(server.historyReads).toBe(reads);
    server.post('new');
    await until(room, (state) => state.head === 21);
    expect(heard).toEqual(['new']);
  });

  test('where only sockets do not get through, each try brings what is new, and the first connection the rest', async () => {
    post(15, 'old');
    const snapshot = await kept();
    post(3, 'missed');
    server.admits = false;
    const { room, heard } = make(1000, async () => snapshot);
    room.start();
    await until(room, ({ head }) => head === 18);
    expect(room.state.loaded).toBe(true);
    expect(contents(room)).toEqual(logged().slice(10));
    await until(room, isDown);
    post(2, 'more');
    clock.advance(2000);
    await until(room, ({ head }) => head === 20);
    await until(room, isDown);
    server.post('last');
    server.admits = true;
    clock.advance(3000);
    await until(room, isLive);
    expect(contents(room)).toEqual(logged().slice(10));
    expect(heard).toEqual([]);
    server.post('new');
    await until(room, (state) => state.head === 22);
    expect(heard).toEqual(['new']);
  });

  test('where only sockets do not get through, nobody who reads is torn away: the first connection fills the gap', async () => {
    post(10, 'old');
    const { room } = enter();
    await until(room, isLive);
    room.hold(3);
    server.admits = false;
    server.drop();
    await until(room, isDown);
    post(25, 'missed');
    const reads = server.historyReads;
    clock.advance(1000);
    await soon(() => server.historyReads > reads);
    await until(room, isDown);
    expect(contents(room)).toEqual(logged().slice(0, 10));
    // Nor is a server that does not answer asked again and again for it.
    server.historyTrouble = new ApiError(503, 'service unavailable');
    clock.advance(2000);
    await soon(() => server.historyReads > reads + 1);
    await until(room, isDown);
    server.trouble = server.historyTrouble;
    clock.advance(60_000);
    await until(room, isDown);
    expect(server.historyReads).toBe(reads + 2);
    server.trouble = null;
    server.historyTrouble = null;
    server.admits = true;
    clock.advance(15_000);
    await until(room, isLive);
    expect(contents(room)).toEqual(logged());
  });

  test('what was kept of another life of the database goes when the server says so', async () => {
    post(15, 'old');
    const snapshot = await kept();
    server.epoch = 'e2';
    server.log.length = 0;
    post(3, 'restored');
    const { room } = make(1000, async () => snapshot);
    room.start();
    await until(room, (state) => isLive(state) && state.loaded);
    expect(contents(room)).toEqual(logged());
  });

  test.each([
    ['has nothing', async () => null],
    ['fails', async () => Promise.reject(new Error('no disk'))],
    ['hangs', () => new Promise<null>(() => {})],
  ])('a device that %s is no hindrance', async (_what, restore) => {
    post(3, 'old');
    const { room } = make(1000, restore);
    room.start();
    clock.advance(1000);
    await until(room, isLive);
    expect(contents(room)).toEqual(logged());
  });

  test('what is said before there is a line is sent when there is one, in order, and answered', async () => {
    const { room } = make();
    const sent = [room.send('one'), room.send('two')];
    room.start();
    expect(room.state.pending.map((entry) => entry.status)).toEqual(['queued', 'queued']);
    expect(await Promise.all(sent)).toMatchObject([
      { outcome: 'stored', seq: 1 },
      { outcome: 'stored', seq: 2 },
    ]);
    await until(room, (state) => state.messages.length === 2);
    expect(contents(room)).toEqual(['one', 'two']);
    expect(room.state.pending).toEqual([]);
  });

  test.each([true, false])(
    'cut between sending and ack (stored: %s), a message is there once',
    async (stores) => {
      const { room } = enter();
      await until(room, isLive);
      server.acks = false;
      server.stores = stores;
      const sent = room.send('once');
      await soon(() => server.received === 1);
      server.drop();
      await until(room, isDown);
      server.acks = true;
      server.stores = true;
      await comesBack(room);
      expect(await sent).toMatchObject({ outcome: 'stored', seq: 1 });
      await until(room, (state) => state.messages.length === 1);
      expect(logged()).toEqual(['once']);
      expect(room.state.pending).toEqual([]);
      // What the connection that resumed has brought need not be sent again.
      expect(server.received).toBe(stores ? 1 : 2);
    },
  );

  test('what nobody would accept is refused here', async () => {
    const { room } = enter();
    for (const content of ['', ' \n', 'x'.repeat(4001), '\0', '\ud800']) {
      expect(await room.send(content)).toEqual({ outcome: 'refused', code: 'invalid_content' });
    }
    expect(room.state.pending).toEqual([]);
  });

  test('leaving delivers what is unsent first, and ends', async () => {
    const { room } = enter();
    await until(room, isLive);
    server.drop();
    await until(room, isDown);
    const sent = room.send('last words');
    room.leave();
    expect(ended).toBe(0);
    clock.advance(1000);
    expect(await sent).toMatchObject({ outcome: 'stored' });
    await soon(() => ended === 1);
    await soon(() => server.server.clients.size === 0);
    expect(logged()).toEqual(['last words']);
  });

  test('leaving with nothing unsent ends at once', async () => {
    const { room } = enter();
    await until(room, isLive);
    room.leave();
    expect(ended).toBe(1);
    room.leave();
    expect(ended).toBe(1);
  });

  test('a room that is gone fails what it was to be sent', async () => {
    server.trouble = new ApiError(404, 'room not found');
    const { room } = enter();
    expect(await room.send('anybody?')).toEqual({ outcome: 'refused', code: 'room_not_found' });
    expect(room.state.connection).toEqual({ status: 'closed', reason: 'room_gone' });
    expect(room.state.pending).toMatchObject([{ status: 'failed', refusal: 'room_not_found' }]);
  });

  test('a typing hint disappears 3 s after the last sign', async () => {
    const { room } = enter();
    await until(room, isLive);
    server.tell({ type: 'typing', room_id: 1, user_id: 8, username: 'u8', is_typing: true });
    await until(room, (state) => state.typing.length === 1);
    clock.advance(2999);
    expect(room.state.typing).toHaveLength(1);
    clock.advance(1);
    expect(room.state.typing).toHaveLength(0);
  });

  test('even when somebody sets the clock back', async () => {
    const { room } = enter();
    await until(room, isLive);
    server.tell({ type: 'typing', room_id: 1, user_id: 8, username: 'u8', is_typing: true });
    await until(room, (state) => state.typing.length === 1);
    clock.set(-3_600_000);
    server.tell({ type: 'typing', room_id: 1, user_id: 9, username: 'u9', is_typing: true });
    await until(room, (state) => state.typing.length === 2);
    clock.advance(3000);
    clock.advance(3000);
    expect(room.state.typing).toHaveLength(0);
  });
});

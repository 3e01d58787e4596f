import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../api/api.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { HostSignal } from './host-signals.ts';
import { type ConnectionState, RoomSocket, type RoomSocketOptions } from './socket.ts';

/** A promise, and the function that keeps it. */
function signal<T>() {
  let give: (value: T) => void = () => {};
  const given = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** A socket on a clock that stands still, with every state it was in; `reached` waits for the next such state. */
function roomSocket({ at = '', ...options }: Partial<RoomSocketOptions> & { at?: string }) {
  const clock = new ManualClock();
  const states: ConnectionState['status'][] = [];
  const frames: unknown[] = [];
  let waiting: { status: ConnectionState['status']; give: () => void }[] = [];
  const socket = new RoomSocket({
    url: () => at,
    ticket: async () => 'abc',
    renewSession: async () => {},
    onFrame: (frame) => frames.push(frame),
    onState: (state) => {
      states.push(state.status);
      for (const one of waiting) if (one.status === state.status) one.give();
      waiting = waiting.filter((one) => one.status !== state.status);
    },
    WebSocket,
    clock,
    random: () => 0,
    ...options,
  });
  const reached = (status: ConnectionState['status']) => {
    const { given, give } = signal<void>();
    waiting.push({ status, give });
    return given;
  };
  return { socket, clock, states, frames, reached };
}

describe('reconnecting', () => {
  const unreachable = async () => {
    throw new ApiError(0, 'no answer');
  };

  test('waits 1.0, 1.5, 2.25 … up to 15 s, and never gives up', async () => {
    const { socket, clock, reached } = roomSocket({ ticket: unreachable });
    const delays: (number | null)[] = [];
    socket.start();
    for (let i = 0; i < 12; i++) {
      await reached('waiting');
      delays.push(clock.nextInMs);
      clock.advance(clock.nextInMs ?? 0);
    }
    expect(delays.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(delays.slice(-3)).toEqual([15_000, 15_000, 15_000]);
    socket.stop();
  });

  test('comes back no sooner than Retry-After says, though the user may', async () => {
    let signal: (what: HostSignal) => void = () => {};
    let tries = 0;
    const { socket, clock, states, reached } = roomSocket({
      ticket: async () => {
        tries += 1;
        throw new ApiError(503, 'service unavailable', { retryAfterMs: 9000 });
      },
      signals: (listener) => {
        signal = listener;
        return () => {};
      },
    });
    socket.start();
    await reached('waiting');
    expect(clock.nextInMs).toBe(9000);
    signal('wake');
    expect(states.at(-1)).toBe('waiting');
    socket.retryNow();
    await reached('waiting');
    expect(tries).toBe(2);
    socket.stop();
  });

  test('at once when the browser comes online or the tab is shown', async () => {
    let signal: (what: HostSignal) => void = () => {};
    const { socket, states, reached } = roomSocket({
      ticket: unreachable,
      signals: (listener) => {
        signal = listener;
        return () => {};
      },
    });
    socket.start();
    await reached('waiting');
    signal('wake');
    expect(states.at(-1)).toBe('connecting');
    socket.stop();
  });

  test('at once, although the clock was set back meanwhile', async () => {
    let signal: (what: HostSignal) => void = () => {};
    const { socket, clock, states, reached } = roomSocket({
      ticket: unreachable,
      signals: (listener) => {
        signal = listener;
        return () => {};
      },
    });
    socket.start();
    await reached('waiting');
    clock.set(-3_600_000);
    signal('wake');
    expect(states.at(-1)).toBe('connecting');
    socket.stop();
  });

  test('a wake makes it try again when a request may hang in a network that is gone', async () => {
    let signal: (what: HostSignal) => void = () => {};
    let tries = 0;
    const { socket, clock } = roomSocket({
      ticket: () => {
        tries += 1;
        return new Promise(() => {});
      },
      signals: (listener) => {
        signal = listener;
        return () => {};
      },
    });
    socket.start();
    clock.advance(1999);
    signal('wake');
    expect(tries).toBe(1);
    clock.advance(1);
    signal('wake');
    expect(tries).toBe(2);
    socket.stop();
  });

  test.each([
    [401, 'invalid token'],
    [401, 'status 401'],
    [404, 'status 404'],
    [404, 'not found'],
    [400, 'status 400'],
  ])('a refusal that is not about this room or session (%i, %s) is waited out', async (status, message) => {
    const { socket, reached } = roomSocket({
      ticket: async () => {
        throw new ApiError(status, message);
      },
    });
    socket.start();
    await reached('waiting');
    socket.stop();
  });

  test('so is what nobody expected, and the state says what it was', async () => {
    const odd = new Error('the disk is full');
    const { socket, reached } = roomSocket({ ticket: () => Promise.reject(odd) });
    socket.start();
    await reached('waiting');
    expect(socket.state).toMatchObject({ status: 'waiting', error: odd });
    socket.stop();
  });

  test('so is an address or a ticket that the platform refuses', async () => {
    const { socket, reached } = roomSocket({ at: 'ws://127.0.0.1:9', ticket: async () => 'a b' });
    socket.start();
    await reached('waiting');
    expect(socket.state).toMatchObject({ status: 'waiting', error: expect.any(SyntaxError) });
    socket.stop();
  });

  test.each([
    [401, 'signed out', 'signed_out'],
    [404, 'room not found', 'room_gone'],
  ] as const)('ends with a ticket refused by %i %s: %s', async (status, message, reason) => {
    const { socket, clock, reached } = roomSocket({
      ticket: async () => {
        throw new ApiError(status, message);
      },
    });
    socket.start();
    await reached('closed');
    expect(socket.state).toEqual({ status: 'closed', reason });
    expect(clock.nextInMs).toBeNull();
  });
});

const HELLO = JSON.stringify({
  type: 'hello',
  protocol: 2,
  room_id: 1,
  user_id: 7,
  username: 'ann',
  epoch: 'e',
  seq: 0,
  online: 1,
  users: [],
  server_time: '',
  heartbeat_ms: 25_000,
  limits: { content: 4000, frame_bytes: 65_536, messages_per_second: 50, message_burst: 300 },
  resumed: false,
});

describe('on the wire', () => {
  let server: WebSocketServer;
  let at: string;
  /** What the server hears, as it comes. */
  let heard: { type: string; t?: number }[];
  let hears: () => void;

  beforeEach(async () => {
    heard = [];
    hears = () => {};
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'chatroom.v2' });
    server.on('connection', (peer) => {
      peer.on('message', (data) => {
        heard.push(JSON.parse(String(data)));
        hears();
      });
    });
    await new Promise((resolve) => server.once('listening', resolve));
    at = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws?room_id=1`;
  });

  afterEach(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });

  const welcomeEverybody = () => server.on('connection', (peer) => peer.send(HELLO));
  const pings = (count: number) =>
    new Promise<void>((resolve) => {
      hears = () => {
        if (heard.filter(({ type }) => type === 'ping').length >= count) resolve();
      };
      hears();
    });
  /** Closes with this code after hello; resolves with the wait that follows. */
  async function waitAfter(code: number, options: Partial<RoomSocketOptions> = {}, before = '') {
    server.on('connection', (peer) => {
      peer.send(HELLO);
      if (before !== '') peer.send(before);
      peer.close(code);
    });
    const of = roomSocket({ at, ...options });
    of.socket.start();
    await of.reached('waiting');
    return of;
  }

  test('offers chatroom.v2 alone and the ticket as subprotocols, and asks for the place anew each time', async () => {
    const offered: (string | undefined)[] = [];
    const paths: (string | undefined)[] = [];
    server.on('connection', (peer, request) => {
      offered.push(request.headers['sec-websocket-protocol']);
      paths.push(request.url);
      peer.send(HELLO);
    });
    let since = 0;
    const { socket, clock, reached } = roomSocket({ url: () => `${at}&since=${since++}` });
    socket.start();
    await reached('open');
    for (const client of server.clients) client.terminate();
    await reached('waiting');
    clock.advance(1000);
    await reached('open');
    expect(offered).toEqual(['chatroom.v2,ticket.abc', 'chatroom.v2,ticket.abc']);
    expect(paths).toEqual(['/ws?room_id=1&since=0', '/ws?room_id=1&since=1']);
    socket.stop();
  });

  test('is open when the server has said hello, and hello is the first that the room hears', async () => {
    const { socket, frames, reached } = roomSocket({ at });
    const entered = signal<WebSocket>();
    server.once('connection', (peer) => entered.give(peer));
    socket.start();
    const peer = await entered.given;
    peer.send('{"type":"sync","seq":1}');
    expect(socket.state.status).toBe('connecting');
    expect(socket.send({ type: 'ping' })).toBe(false);
    peer.send(HELLO);
    await reached('open');
    await pings(1);
    expect(frames).toEqual([JSON.parse(HELLO)]);
    socket.stop();
  });

  test('the count of failures starts again with the first frame received, not with the handshake', async () => {
    const { socket, clock, reached } = roomSocket({ at });
    const delayAfterDrop = async () => {
      await reached('waiting');
      const delay = clock.nextInMs;
      clock.advance(delay ?? 0);
      return delay;
    };
    const drop = (peer: WebSocket) => peer.close();
    server.on('connection', drop);
    socket.start();
    expect([await delayAfterDrop(), await delayAfterDrop(), await delayAfterDrop()]).toEqual([
      1000, 1500, 2250,
    ]);
    server.off('connection', drop);
    server.on('connection', (peer) => {
      peer.send(HELLO);
      peer.close();
    });
    expect(await delayAfterDrop()).toBe(1000);
    socket.stop();
  });

  test('a ping at once and every 25 s measures the latency; without an answer for 5 s the line is given up', async () => {
    welcomeEverybody();
    const latencies: number[] = [];
    const { socket, clock, reached } = roomSocket({ at, onLatency: (ms) => latencies.push(ms) });
    socket.start();
    await reached('open');
    await pings(1);
    clock.advance(40);
    const [peer] = server.clients;
    const measured = signal<void>();
    peer?.send(JSON.stringify({ type: 'pong', t: heard[0]?.t }), () => measured.give());
    await measured.given;
    while (latencies.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(latencies).toEqual([40]);
    clock.advance(24_960);
    await pings(2);
    clock.advance(4999);
    expect(socket.state.status).toBe('open');
    clock.advance(1);
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test('a message that brings nothing for 5 s makes the line doubtful: it is pinged, and given up 5 s later', async () => {
    welcomeEverybody();
    const { socket, clock, reached, frames } = roomSocket({ at });
    socket.start();
    await reached('open');
    await pings(1);
    server.clients.forEach((peer) => {
      peer.send('{"type":"pong","t":0}');
      peer.send('{"type":"sync","seq":0}');
    });
    while (frames.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    socket.send({ type: 'message', content: 'anybody?', cid: 'c' });
    clock.advance(5000);
    await pings(2);
    expect(socket.state.status).toBe('open');
    clock.advance(5000);
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test('a handshake without hello for 10 s has failed', async () => {
    const entered = signal<void>();
    server.once('connection', () => entered.give());
    const { socket, clock } = roomSocket({ at });
    socket.start();
    await entered.given;
    expect(socket.state.status).toBe('connecting');
    clock.advance(10_000);
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test.each([1001, 1006, 1011, 4000, 4009, 4099])('close code %i: back on the schedule', async (code) => {
    const { socket, clock } = await waitAfter(code === 1006 ? 1000 : code);
    expect(clock.nextInMs).toBe(1000);
    socket.stop();
  });

  test('close code 1008: not sooner than in 5 s', async () => {
    const { socket, clock } = await waitAfter(1008);
    expect(clock.nextInMs).toBe(5000);
    socket.stop();
  });

  test('a planned restart: back when the server said, not sooner for a wake, no jitter', async () => {
    let tell: (what: HostSignal) => void = () => {};
    const options: Partial<RoomSocketOptions> = {
      random: () => 0.9,
      signals: (listener) => {
        tell = listener;
        return () => {};
      },
    };
    const { socket, clock } = await waitAfter(4000, options, '{"type":"restart","in_ms":7654}');
    expect(clock.nextInMs).toBe(7654);
    tell('wake');
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test('a planned restart that asks for more than a minute gets a minute', async () => {
    const { socket, clock } = await waitAfter(4000, {}, '{"type":"restart","in_ms":86400000}');
    expect(clock.nextInMs).toBe(60_000);
    socket.stop();
  });

  test('close codes 4100-4199: the session is renewed first, then it comes back', async () => {
    const done: string[] = [];
    const { socket, clock, reached } = await waitAfter(4101, {
      renewSession: async () => void done.push('renew'),
      ticket: async () => {
        done.push('ticket');
        return 'abc';
      },
    });
    clock.advance(1000);
    await reached('waiting');
    clock.advance(1000);
    await reached('waiting');
    expect(done).toEqual(['ticket', 'renew', 'ticket', 'renew', 'ticket']);
    socket.stop();
  });

  test('close codes 4100-4199: a session that cannot be renewed is over', async () => {
    const { socket, clock, reached } = await waitAfter(4101, {
      renewSession: async () => {
        throw new ApiError(401, 'signed out');
      },
    });
    clock.advance(1000);
    await reached('closed');
    expect(socket.state).toEqual({ status: 'closed', reason: 'signed_out' });
  });

  test('close codes 4200-4299: it does not come back', async () => {
    server.once('connection', (peer) => peer.close(4204));
    const { socket, clock, reached } = roomSocket({ at });
    socket.start();
    await reached('closed');
    expect(socket.state).toEqual({ status: 'closed', reason: 'room_gone' });
    expect(clock.nextInMs).toBeNull();
  });

  test('when the device goes offline the line is down at once, and back when it comes online', async () => {
    welcomeEverybody();
    let tell: (what: HostSignal) => void = () => {};
    const { socket, reached } = roomSocket({
      at,
      signals: (listener) => {
        tell = listener;
        return () => {};
      },
    });
    socket.start();
    await reached('open');
    tell('offline');
    expect(socket.state.status).toBe('waiting');
    tell('wake');
    await reached('open');
    socket.stop();
  });

  test('what it does not understand it leaves alone', async () => {
    const last = { type: 'sync', seq: 9 };
    server.once('connection', (peer) => {
      peer.send(HELLO);
      for (const text of ['{', '[]', '"x"', '{"type":"unheard"}', '{"type":"message"}']) peer.send(text);
      peer.send(Buffer.from([1, 2]));
      peer.send(JSON.stringify(last));
      peer.close();
    });
    const { socket, frames, reached } = roomSocket({ at });
    socket.start();
    await reached('waiting');
    expect(frames).toEqual([JSON.parse(HELLO), last]);
    socket.stop();
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { FakeServer } from '../testing/fake-server.ts';
import { helloFrame } from '../testing/hello.ts';
import { soon } from '../testing/room-stage.ts';
import { deferred, socketStage } from '../testing/socket-stage.ts';

const HELLO = helloFrame();

describe('the WebSocket of a room', () => {
  let server: FakeServer;
  let at: string;

  beforeEach(async () => {
    server = await FakeServer.start();
    // Pings get no response.
    server.onPeer = (peer) => peer.send(JSON.stringify(HELLO));
    at = `${server.url}/ws?room_id=1`;
  });

  afterEach(() => server.stop());

  const pings = () => server.heard.filter((frame) => frame.type === 'ping');
  const pinged = (count: number) => soon(() => pings().length >= count);

  test('offers chatroom.v2 and the ticket as subprotocols, and asks for the URL before each attempt', async () => {
    const offered: (string | undefined)[] = [];
    server.onPeer = (peer, request) => {
      offered.push(request.headers['sec-websocket-protocol']);
      peer.send(JSON.stringify(HELLO));
    };
    let since = 0;
    const { socket, nextDelay, reached } = socketStage({ url: () => `${at}&since=${since++}` });
    socket.start();
    await reached('open');
    server.drop();
    await nextDelay();
    await reached('open');
    expect(offered).toEqual(['chatroom.v2,ticket.abc', 'chatroom.v2,ticket.abc']);
    expect(server.paths).toEqual(['/ws?room_id=1&since=0', '/ws?room_id=1&since=1']);
    socket.stop();
  });

  test('is open after hello, which is the first frame that the room receives', async () => {
    const { socket, frames, reached } = socketStage({ at });
    const { promise, resolve } = deferred<WebSocket>();
    server.onPeer = resolve;
    socket.start();
    const peer = await promise;
    peer.send('{"type":"sync","seq":1}');
    expect(socket.state.status).toBe('connecting');
    expect(socket.send({ type: 'ping' })).toBe(false);
    peer.send(JSON.stringify(HELLO));
    await reached('open');
    await pinged(1);
    expect(frames).toEqual([HELLO]);
    socket.stop();
  });

  test('pings at once and every 25 s, for the latency; 5 s without a response end the connection', async () => {
    const latencies: number[] = [];
    const { socket, clock, reached } = socketStage({ at, onLatency: (ms) => latencies.push(ms) });
    socket.start();
    await reached('open');
    await pinged(1);
    clock.advance(40);
    const [ping] = pings();
    server.tell({ type: 'pong', t: ping?.type === 'ping' ? ping.t : undefined });
    await soon(() => latencies.length > 0);
    expect(latencies).toEqual([40]);
    clock.advance(24_960);
    await pinged(2);
    clock.advance(4999);
    expect(socket.state.status).toBe('open');
    clock.advance(1);
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test('a message without any frame after it for 5 s causes a ping, and the connection ends 5 s later', async () => {
    const { socket, clock, reached, frames } = socketStage({ at });
    socket.start();
    await reached('open');
    await pinged(1);
    server.tell({ type: 'pong', t: 0 });
    server.tell({ type: 'sync', seq: 0 });
    await soon(() => frames.length === 2);
    socket.send({ type: 'message', content: 'anybody?', cid: 'c' });
    clock.advance(5000);
    await pinged(2);
    expect(socket.state.status).toBe('open');
    clock.advance(5000);
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test('a handshake without hello fails after 10 s', async () => {
    const { promise, resolve } = deferred<WebSocket>();
    server.onPeer = resolve;
    const { socket, clock } = socketStage({ at });
    socket.start();
    await promise;
    expect(socket.state.status).toBe('connecting');
    clock.advance(10_000);
    expect(socket.state.status).toBe('waiting');
    socket.stop();
  });

  test('a device that goes offline ends the connection at once, and a wake opens it again', async () => {
    const { socket, signal, reached } = socketStage({ at });
    socket.start();
    await reached('open');
    signal('offline');
    expect(socket.state.status).toBe('waiting');
    signal('wake');
    await reached('open');
    socket.stop();
  });

  test('ignores frames that it does not understand', async () => {
    const last = { type: 'sync', seq: 9 };
    server.onPeer = (peer) => {
      peer.send(JSON.stringify(HELLO));
      for (const text of ['{', '[]', '"x"', '{"type":"unheard"}', '{"type":"message"}']) peer.send(text);
      peer.send(Buffer.from([1, 2]));
      peer.send(JSON.stringify(last));
      peer.close();
    };
    const { socket, frames, reached } = socketStage({ at });
    socket.start();
    await reached('waiting');
    expect(frames).toEqual([HELLO, last]);
    socket.stop();
  });
});

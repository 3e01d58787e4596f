import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { helloFrame } from '../testing/hello.ts';
import { deferred, lineStage } from '../testing/line-stage.ts';
import { soon } from '../testing/room-stage.ts';
import { entry } from '../testing/rooms-actions.ts';

const HELLO = helloFrame();

describe('the line of a client', () => {
  let server: FakeServer;
  let at: string;

  beforeEach(async () => {
    server = await FakeServer.start();
    // Pings get no response.
    server.onPeer = (peer) => peer.send(JSON.stringify(HELLO));
    at = `${server.url}/ws`;
  });

  afterEach(() => server.stop());

  const pings = () => server.heard.filter((frame) => frame.type === 'ping');
  const pinged = (count: number) => soon(() => pings().length >= count);

  test('offers chatroom.v2 and the ticket as subprotocols, and begins with what is known by then', async () => {
    const offered: (string | undefined)[] = [];
    server.onPeer = (peer, request) => {
      offered.push(request.headers['sec-websocket-protocol']);
      peer.send(JSON.stringify(HELLO));
    };
    let user_seq = 0;
    const { line, nextDelay, reached } = lineStage({
      at,
      start: () => ({ type: 'start', epoch: 'e1', user_seq: user_seq++ }),
    });
    line.start();
    const starts = () => server.heardOf('start').map((frame) => frame.user_seq);
    await soon(() => starts().length === 1);
    server.drop();
    await nextDelay();
    await reached('open');
    expect(offered).toEqual(['chatroom.v2,ticket.abc', 'chatroom.v2,ticket.abc']);
    await soon(() => starts().length === 2);
    expect(starts()).toEqual([0, 1]);
    line.stop();
  });

  test('is open after hello, which is the first frame that it passes on', async () => {
    const { line, frames, reached } = lineStage({ at });
    const { promise, resolve } = deferred<WebSocket>();
    server.onPeer = resolve;
    line.start();
    const peer = await promise;
    peer.send('{"type":"sync","room_id":1,"seq":1}');
    expect(line.state.status).toBe('connecting');
    expect(line.send({ type: 'ping' })).toBe(false);
    peer.send(JSON.stringify(HELLO));
    await reached('open');
    await pinged(1);
    expect(frames).toEqual([HELLO]);
    line.stop();
  });

  test('pings at once and every 25 s, for the latency; 5 s without a response end the connection', async () => {
    const latencies: number[] = [];
    const { line, clock, reached } = lineStage({ at, onLatency: (ms) => latencies.push(ms) });
    line.start();
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
    expect(line.state.status).toBe('open');
    clock.advance(1);
    expect(line.state.status).toBe('waiting');
    line.stop();
  });

  test.each<ClientFrameV2>([
    { type: 'message', room_id: 1, content: 'anybody?', cid: 'c' },
    { type: 'delete', room_id: 1, id: 10, ref: 'r' },
  ])(
    'a $type without any frame after it for 5 s causes a ping; the connection ends 5 s later',
    async (frame) => {
      const { line, clock, reached, frames } = lineStage({ at });
      line.start();
      await reached('open');
      await pinged(1);
      server.tell({ type: 'pong', t: 0 });
      server.tell({ type: 'sync', room_id: 1, seq: 0 });
      await soon(() => frames.length === 2);
      line.send(frame);
      clock.advance(5000);
      await pinged(2);
      expect(line.state.status).toBe('open');
      clock.advance(5000);
      expect(line.state.status).toBe('waiting');
      line.stop();
    },
  );

  test('a handshake without hello fails after 10 s', async () => {
    const { promise, resolve } = deferred<WebSocket>();
    server.onPeer = resolve;
    const { line, clock } = lineStage({ at });
    line.start();
    await promise;
    expect(line.state.status).toBe('connecting');
    clock.advance(10_000);
    expect(line.state.status).toBe('waiting');
    line.stop();
  });

  test('a device that goes offline ends the connection at once, and a wake opens it again', async () => {
    const { line, signal, reached } = lineStage({ at });
    line.start();
    await reached('open');
    signal('offline');
    expect(line.state.status).toBe('waiting');
    signal('wake');
    await reached('open');
    line.stop();
  });

  test('passes a complete list of rooms on as one frame, and a partial one in between as it is', async () => {
    const partial = { type: 'rooms', rooms: [entry(3, 1, 0)], complete: false };
    server.onPeer = (peer) => {
      peer.send(JSON.stringify(HELLO));
      peer.send(JSON.stringify({ type: 'rooms', rooms: [entry(1, 1, 0)], complete: true, more: true }));
      peer.send(JSON.stringify(partial));
      peer.send(JSON.stringify({ type: 'rooms', rooms: [entry(2, 1, 0)], complete: true }));
    };
    const { line, frames, reached } = lineStage({ at });
    line.start();
    await reached('open');
    await soon(() => frames.length === 3);
    const whole = { type: 'rooms', rooms: [entry(1, 1, 0), entry(2, 1, 0)], complete: true };
    expect(frames).toEqual([HELLO, partial, whole]);
    line.stop();
  });

  test('a list of rooms that was cut off is not passed on, nor is it a part of the next one', async () => {
    let connections = 0;
    server.onPeer = (peer) => {
      peer.send(JSON.stringify(HELLO));
      const more = ++connections === 1 ? { more: true } : {};
      peer.send(
        JSON.stringify({ type: 'rooms', rooms: [entry(connections, 1, 0)], complete: true, ...more }),
      );
    };
    const { line, frames, nextDelay, reached } = lineStage({ at });
    line.start();
    await reached('open');
    server.drop();
    await nextDelay();
    await soon(() => frames.length === 3);
    expect(frames).toEqual([HELLO, HELLO, { type: 'rooms', rooms: [entry(2, 1, 0)], complete: true }]);
    line.stop();
  });

  test('ignores frames that it does not understand', async () => {
    const last = { type: 'sync', room_id: 1, seq: 9 };
    server.onPeer = (peer) => {
      peer.send(JSON.stringify(HELLO));
      for (const text of ['{', '[]', '"x"', '{"type":"unheard"}', '{"type":"message"}']) peer.send(text);
      peer.send(Buffer.from([1, 2]));
      peer.send(JSON.stringify(last));
      peer.close();
    };
    const { line, frames, reached } = lineStage({ at });
    line.start();
    await reached('waiting');
    expect(frames).toEqual([HELLO, last]);
    line.stop();
  });
});

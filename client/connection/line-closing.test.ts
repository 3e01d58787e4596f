import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { isLive } from '../room/room-state.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { helloFrame } from '../testing/hello.ts';
import { lineStage } from '../testing/line-stage.ts';
import { RoomStage, soon, until } from '../testing/room-stage.ts';

let stage: RoomStage;

beforeEach(async () => {
  stage = await RoomStage.start();
});

afterEach(() => stage.stop());

test('a message written while the socket is closing stays in the outbox and goes over the next connection', async () => {
  const { room, user } = stage.enter();
  await until(room, isLive);
  const [socket] = stage.sockets;
  socket?.close();
  expect(socket?.readyState).toBe(WebSocket.CLOSING);
  expect(user.line.send({ type: 'ping' })).toBe(false);
  const outcome = room.send('just in time');
  await soon(() => stage.items.size === 1);
  await until(room, (state) => state.connection.status === 'waiting');
  expect(room.state.pending).toMatchObject([{ content: 'just in time', status: 'queued' }]);
  await stage.comesBack(room);
  expect(await outcome).toMatchObject({ outcome: 'stored' });
  expect(stage.server.logged).toEqual(['just in time']);
  expect(socket?.sentInVain).toEqual([]);
});

test('a socket that never finishes closing is given up after a ping that gets no response', async () => {
  const server = await FakeServer.start();
  server.onPeer = (peer) => peer.send(JSON.stringify(helloFrame()));
  const sockets: WebSocket[] = [];
  const { line, clock, frames, reached } = lineStage({
    at: server.url,
    WebSocket: class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        sockets.push(this);
      }
    },
  });
  line.start();
  await reached('open');
  server.tell({ type: 'sync', room_id: 1, seq: 0 });
  await soon(() => frames.length === 2);
  // The server does not respond to the close frame, as behind a network that is gone.
  for (const peer of server.peers) peer.pause();
  sockets[0]?.close();
  expect(line.send({ type: 'typing', room_id: 1, is_typing: true })).toBe(false);
  clock.advance(9999);
  expect(line.state.status).toBe('open');
  clock.advance(1);
  expect(line.state.status).toBe('waiting');
  line.stop();
  server.stop();
});

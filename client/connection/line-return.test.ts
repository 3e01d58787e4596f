import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeServer } from '../testing/fake-server.ts';
import { helloFrame } from '../testing/hello.ts';
import { lineStage } from '../testing/line-stage.ts';
import { soon } from '../testing/room-stage.ts';

let server: FakeServer;
let at: string;
/** The ticket of each upgrade. */
let offered: string[];
/** Tickets that were requested. */
let requests: number;

beforeEach(async () => {
  server = await FakeServer.start();
  at = `${server.url}/ws`;
  offered = [];
  requests = 0;
  server.onPeer = (peer, request) => {
    offered.push((request.headers['sec-websocket-protocol'] ?? '').split('ticket.')[1] ?? '');
    const ticket = `return ${offered.length}`.replace(' ', '-');
    peer.send(JSON.stringify(helloFrame({ return_ticket: { ticket, expires_in: 900 } })));
  };
});
afterEach(() => server.stop());

const requesting = { ticket: async () => `requested-${++requests}` };

test('a return ticket opens the next connection without a request, and each one is tried once', async () => {
  const { line, nextDelay, reached } = lineStage({ at, ...requesting });
  line.start();
  for (let count = 0; count < 3; count++) {
    await reached('open');
    server.drop();
    await nextDelay();
  }
  await reached('open');
  expect(offered).toEqual(['requested-1', 'return-1', 'return-2', 'return-3']);
  line.stop();
});

test('a later one replaces it', async () => {
  const { line, nextDelay, reached } = lineStage({ at, ...requesting });
  line.start();
  await reached('open');
  server.tell({ type: 'return_ticket', ticket: 'later', expires_in: 900 });
  server.tell({ type: 'pong', t: 0 });
  await soon(() => server.heardOf('ping').length > 0);
  server.drop();
  await nextDelay();
  await reached('open');
  expect(offered).toEqual(['requested-1', 'later']);
  line.stop();
});

test('an expired one is not used', async () => {
  const { line, clock, reached } = lineStage({ at, ...requesting });
  line.start();
  await reached('open');
  server.drop();
  await reached('waiting');
  clock.advance(900_000);
  await reached('open');
  expect(offered).toEqual(['requested-1', 'requested-2']);
  line.stop();
});

test('where it is refused, a ticket is requested at once, without a wait', async () => {
  const { line, states, nextDelay, reached } = lineStage({ at, ...requesting });
  line.start();
  await reached('open');
  server.admits = false;
  server.drop();
  await nextDelay();
  await reached('waiting');
  expect(requests).toBe(2);
  const last = states.map(({ status }) => status).slice(-4);
  expect(last).toEqual(['waiting', 'connecting', 'connecting', 'waiting']);
  line.stop();
});

test('it is forgotten when the session has ended', async () => {
  const { line, nextDelay, reached } = lineStage({ at, ...requesting });
  line.start();
  await reached('open');
  for (const peer of server.peers) peer.close(4101);
  await nextDelay();
  await reached('open');
  expect(offered).toEqual(['requested-1', 'requested-2']);
  line.stop();
});

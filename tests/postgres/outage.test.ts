import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putOnTrial } from '../faults/trial.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectRetryAfter } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { killPostgres, onDatabase } from './kill-postgres.ts';

describe.skipIf(whyNoPostgres() !== undefined)('while PostgreSQL is away', () => {
  let postgres: PostgresServer;
  let server: ServerProcess;
  let ann: Login;
  let roomId: number;
  let line: RoomLine;
  let chat: ChatClient;

  beforeAll(async () => {
    postgres = await PostgresServer.startOwn();
    server = await ServerProcess.start({ env: onDatabase(await postgres.createDatabase()) });
    ann = await signUp(server);
    const bo = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
    line = await RoomLine.enter(server, ann, roomId);
    chat = await ChatClient.enter(server, bo, roomId);
    line.send({ type: 'message', room_id: roomId, cid: 'before', content: 'before' });
    await line.waitFor('ack', ({ cid }) => cid === 'before');
    await postgres.kill();
  });
  afterAll(async () => {
    await server?.dispose();
    await postgres?.[Symbol.asyncDispose]();
  });

  const history = () => send(server, `/api/v1/rooms/${roomId}/messages`, { token: ann.accessToken });

  it('the process is alive and not ready', async () => {
    expect((await send(server, '/healthz')).status).toBe(200);
    expect(await send(server, '/ready')).toMatchObject({
      status: 503,
      json: { status: 'not_ready', checks: { database: 'unhealthy' } },
    });
  });

  it('history, a join and a login are 503 with Retry-After', async () => {
    const { accessToken: token, username, password } = ann;
    const replies = await Promise.all([
      history(),
      send(server, `/api/v1/rooms/${roomId}/members/me`, { method: 'PUT', token }),
      send(server, '/api/v1/auth/login', { method: 'POST', json: { username, password } }),
    ]);
    for (const reply of replies) {
      expectRefusal(reply, 503, 'service unavailable');
      expectRetryAfter(reply);
    }
  });

  it('sockets stay and typing goes on; sends are refused, to be tried again', async () => {
    line.send({ type: 'message', room_id: roomId, cid: 'meanwhile', content: 'meanwhile' });
    chat.say('from v1');
    chat.send({ type: 'typing', is_typing: true });
    await line.waitFor('typing', ({ is_typing }) => is_typing);
    const refused = await line.waitFor('error', ({ cid }) => cid === 'meanwhile');
    expect(refused).toMatchObject({ code: 'service_unavailable', retryable: true });
    await chat.waitFor('error', ({ content }) => content === 'service unavailable');
    expect([line.isOpen, chat.isOpen]).toEqual([true, true]);
  });

  it('the metrics say that the database is away, and count the frames that were refused', async () => {
    const text = await eventually('a scrape after a check', async () => {
      const { text: now } = await send(server, '/metrics');
      return now.includes('\nroomful_database_healthy 0\n') ? now : undefined;
    });
    const refused = Number(/roomful_frames_refused_total{code="service_unavailable"} (\d+)/.exec(text)?.[1]);
    // One from each protocol, as was just sent.
    expect(refused).toBe(2);
    expect(Number(/roomful_postgres_connects_failed_total (\d+)/.exec(text)?.[1])).toBeGreaterThan(0);
  });

  it('when it is back, everything goes on in the same process, and what was refused is stored once', async () => {
    const { pid } = server;
    await postgres.restart();
    await eventually('ready', async () => ((await send(server, '/ready')).status === 200 ? true : undefined));
    line.send({ type: 'message', room_id: roomId, cid: 'meanwhile', content: 'meanwhile' });
    await line.waitFor('ack', ({ cid }) => cid === 'meanwhile');
    const messages = await readHistory(server, ann, roomId);
    expect(messages.map(({ content }) => content)).toEqual(['before', 'meanwhile']);
    expect(server.pid).toBe(pid);
  });

  it('three deaths of PostgreSQL under load: nothing acked is lost or doubled', {
    timeout: 300_000,
  }, async () => {
    await putOnTrial({
      promise: 'G8',
      name: 'kill -9 of PostgreSQL, short',
      run: (seed) =>
        killPostgres(seed, {
          ...{ people: 6, rooms: 3, roomsEach: 2, window: 8 },
          ...{ kills: 3, acksPerLife: 200, awayMs: { min: 0, max: 1000 } },
        }),
    });
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { send, sendRaw } from '../support/http.ts';
import { connectRaw, wsUpgrade } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, issueTicket, readHistory, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

describe('graceful stop on SIGTERM and SIGINT within 10 s', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s: sockets close with 1001, exit code 0', async (signal) => {
    await using server = await ServerProcess.start();
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const sockets = await Promise.all(
      Array.from({ length: 5 }, () => ChatClient.enter(server, ann, room.id)),
    );
    const began = performance.now();
    const exit = await server.stop(signal);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(10_000);
    for (const socket of sockets) expect([1001, 4000]).toContain((await socket.closed).code);
  });

  test('an idle kept-alive connection, a half-sent request and a mute socket do not hold it up', async () => {
    await using server = await ServerProcess.start();
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    await ChatClient.enter(server, ann, room.id);
    const idle = connect(server.port, '127.0.0.1');
    idle.on('error', () => undefined);
    idle.write(`GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`);
    await once(idle, 'data');
    const half = connect(server.port, '127.0.0.1');
    half.on('error', () => undefined);
    half.write(`POST /api/v1/auth/login HTTP/1.1\r\nHost: ${server.host}\r\nContent-Length: 100\r\n\r\n{`);
    await once(half, 'ready');
    const began = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(10_000);
    idle.destroy();
    half.destroy();
  });

  test('messages that were broadcast are in the history after a restart', async () => {
    await using server = await ServerProcess.start();
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const socket = await ChatClient.enter(server, ann, room.id);
    for (let count = 0; count < 200; count++) socket.say(`message ${count}`);
    await socket.waitForCount('message', 50);
    await server.stop();
    await socket.closed;
    const heard = socket.of('message');
    await server.restart();
    expect((await readHistory(server, ann, room.id)).slice(0, heard.length)).toEqual(heard);
  });

  test('while draining /ready is 503 with {error, status, checks}, or the port is closed already', async () => {
    await using server = await ServerProcess.start();
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const mute = await ChatClient.enter(server, ann, room.id);
    const stopped = server.stop();
    const outcome = await eventually('unready or closed', async () => {
      const reply = await send(server, '/ready').catch(() => null);
      if (reply === null) return 'closed';
      return reply.status === 503 ? reply.json : undefined;
    });
    if (outcome !== 'closed') {
      expect(outcome).toEqual({
        error: 'service unavailable',
        status: 'not_ready',
        checks: { database: 'healthy' },
      });
    }
    expect((await stopped).code).toBe(0);
    await mute.closed;
  });

  test('an upgrade while draining is 503, and no error in the log', async () => {
    await using server = await ServerProcess.start();
    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const upgrade = async () => wsUpgrade(`/ws?ticket=${await issueTicket(server, ann, room.id)}`);
    const opening = await upgrade();
    const late = await upgrade();
    // It never responds to the close frame, so the server waits for it.
    const mute = await connectRaw(server);
    mute.write(opening);
    await once(mute, 'data');
    const stopped = server.stop();
    await eventually('stopping', async () => server.logs.find(({ msg }) => msg === 'stopping'));
    expect((await sendRaw(server, late)).text).toMatch(/^HTTP\/1\.1 503 /);
    expect((await stopped).code).toBe(0);
    expect(server.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { helloFrame } from '../testing/hello.ts';
import { lineStage } from '../testing/line-stage.ts';
import type { LineOptions } from './line.ts';

const HELLO = JSON.stringify(helloFrame());

describe('a connection that the server closes', () => {
  let server: FakeServer;

  beforeEach(async () => {
    server = await FakeServer.start();
  });

  afterEach(() => server.stop());

  /** Closes with this code after hello; resolves in the wait that follows. `before`: a frame in between. */
  async function waitAfter(code: number, options: Partial<LineOptions> = {}, before = '') {
    server.onPeer = (peer) => {
      peer.send(HELLO);
      if (before !== '') peer.send(before);
      peer.close(code);
    };
    const stage = lineStage({ at: server.url, ...options });
    stage.line.start();
    await stage.reached('waiting');
    return stage;
  }

  test.each([1000, 1001, 1011, 4000, 4009, 4099])('%i: reconnects after the backoff', async (code) => {
    const { line, clock } = await waitAfter(code);
    expect(clock.nextInMs).toBe(1000);
    line.stop();
  });

  test('1008: reconnects after 5 s at the earliest', async () => {
    const { line, clock } = await waitAfter(1008);
    expect(clock.nextInMs).toBe(5000);
    line.stop();
  });

  test('a server that closes each connection after hello meets a growing backoff', async () => {
    server.onPeer = (peer) => {
      peer.send(HELLO);
      peer.close(1011);
    };
    const { line, nextDelay } = lineStage({ at: server.url });
    line.start();
    expect([await nextDelay(), await nextDelay(), await nextDelay()]).toEqual([1000, 1500, 2250]);
    line.stop();
  });

  test('a connection that was open for 5 s resets the backoff', async () => {
    server.admits = false;
    const { line, clock, reached, nextDelay } = lineStage({ at: server.url });
    line.start();
    expect([await nextDelay(), await nextDelay()]).toEqual([1000, 1500]);
    await reached('waiting');
    server.admits = true;
    clock.advance(2250);
    await reached('open');
    clock.advance(4999);
    server.drop();
    expect(await nextDelay()).toBe(3375);
    await reached('open');
    clock.advance(5000);
    server.drop();
    expect(await nextDelay()).toBe(1000);
    line.stop();
  });

  test('a planned restart: reconnects when the server said, without jitter, and not earlier for a wake', async () => {
    const restart = '{"type":"restart","in_ms":7654}';
    const { line, clock, signal } = await waitAfter(4000, { random: () => 0.9 }, restart);
    expect(clock.nextInMs).toBe(7654);
    signal('wake');
    expect(line.state.status).toBe('waiting');
    line.stop();
  });

  test('a planned restart: a delay of more than a minute is shortened to a minute', async () => {
    const { line, clock } = await waitAfter(4000, {}, '{"type":"restart","in_ms":86400000}');
    expect(clock.nextInMs).toBe(60_000);
    line.stop();
  });

  test('4100-4199: renews the session first, then reconnects', async () => {
    const done: string[] = [];
    const { line, nextDelay, clock, reached } = await waitAfter(4101, {
      renewSession: async () => void done.push('renew'),
      ticket: async () => {
        done.push('ticket');
        return 'abc';
      },
    });
    clock.advance(1000);
    await nextDelay();
    await reached('waiting');
    expect(done).toEqual(['ticket', 'renew', 'ticket', 'renew', 'ticket']);
    line.stop();
  });

  test('4100-4199: a session that cannot be renewed closes the connection', async () => {
    const { line, clock, reached } = await waitAfter(4101, {
      renewSession: async () => {
        throw new ApiError(401, 'signed out');
      },
    });
    clock.advance(1000);
    await reached('closed');
    expect(line.state).toEqual({ status: 'closed', reason: 'signed_out' });
  });

  test('4200-4299: does not reconnect', async () => {
    server.onPeer = (peer) => peer.close(4204);
    const { line, clock, reached } = lineStage({ at: server.url });
    line.start();
    await reached('closed');
    expect(line.state).toEqual({ status: 'closed', reason: 'stopped' });
    expect(clock.nextInMs).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { socketStage } from '../testing/socket-stage.ts';

const unreachable = async () => {
  throw new ApiError(0, 'no response');
};

const refusing = (status: number, message: string, options?: { retryAfterMs: number }) => async () => {
  throw new ApiError(status, message, options);
};

describe('reconnecting without a server', () => {
  test('waits 1.0, 1.5, 2.25 … up to 15 s, and never gives up', async () => {
    const { socket, nextDelay } = socketStage({ ticket: unreachable });
    const delays: (number | null)[] = [];
    socket.start();
    for (let i = 0; i < 12; i++) delays.push(await nextDelay());
    expect(delays.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(delays.slice(-3)).toEqual([15_000, 15_000, 15_000]);
    socket.stop();
  });

  test('a wake retries at once', async () => {
    const { socket, signal, reached } = socketStage({ ticket: unreachable });
    socket.start();
    await reached('waiting');
    signal('wake');
    expect(socket.state.status).toBe('connecting');
    socket.stop();
  });

  test('a wake retries at once although the clock was set back', async () => {
    const { socket, clock, signal, reached } = socketStage({ ticket: unreachable });
    socket.start();
    await reached('waiting');
    clock.set(-3_600_000);
    signal('wake');
    expect(socket.state.status).toBe('connecting');
    socket.stop();
  });

  test('a wake repeats a request that has been running for 2 s: its network may be gone', async () => {
    let attempts = 0;
    const { socket, clock, signal } = socketStage({
      ticket: () => {
        attempts += 1;
        return new Promise(() => {});
      },
    });
    socket.start();
    clock.advance(1999);
    signal('wake');
    expect(attempts).toBe(1);
    clock.advance(1);
    signal('wake');
    expect(attempts).toBe(2);
    socket.stop();
  });
});

describe('a ticket that is refused', () => {
  test('Retry-After is the minimum delay, except for the user', async () => {
    let attempts = 0;
    const { socket, clock, signal, reached } = socketStage({
      ticket: () => {
        attempts += 1;
        return refusing(503, 'service unavailable', { retryAfterMs: 9000 })();
      },
    });
    socket.start();
    await reached('waiting');
    expect(clock.nextInMs).toBe(9000);
    signal('wake');
    expect(socket.state.status).toBe('waiting');
    socket.retryNow();
    await reached('waiting');
    expect(attempts).toBe(2);
    socket.stop();
  });

  test('clients with the same Retry-After return over as long again', async () => {
    const delays: (number | null)[] = [];
    for (const share of [0, 0.25, 0.5, 0.75]) {
      const { socket, clock, reached } = socketStage({
        ticket: refusing(429, 'too many requests', { retryAfterMs: 4000 }),
        random: () => share,
      });
      socket.start();
      await reached('waiting');
      delays.push(clock.nextInMs);
      socket.stop();
    }
    expect(delays).toEqual([4000, 5000, 6000, 7000]);
  });

  test('repeated refusals are followed by longer delays, whatever Retry-After says', async () => {
    const { socket, nextDelay } = socketStage({
      ticket: refusing(429, 'too many requests', { retryAfterMs: 1000 }),
    });
    socket.start();
    expect([await nextDelay(), await nextDelay(), await nextDelay()]).toEqual([1000, 1500, 2250]);
    socket.stop();
  });

  test.each([
    [401, 'invalid token'],
    [401, 'status 401'],
    [404, 'status 404'],
    [404, 'not found'],
    [400, 'status 400'],
  ])('a refusal that is not about this room or session (%i, %s) is retried', async (status, message) => {
    const { socket, reached } = socketStage({ ticket: refusing(status, message) });
    socket.start();
    await reached('waiting');
    socket.stop();
  });

  test('an unexpected error is retried, and the state holds it', async () => {
    const odd = new Error('the disk is full');
    const { socket, reached } = socketStage({ ticket: () => Promise.reject(odd) });
    socket.start();
    await reached('waiting');
    expect(socket.state).toMatchObject({ status: 'waiting', error: odd });
    socket.stop();
  });

  test('a ticket that the platform rejects as a subprotocol is retried, and the state holds the error', async () => {
    const { socket, reached } = socketStage({ at: 'ws://127.0.0.1:9', ticket: async () => 'a b' });
    socket.start();
    await reached('waiting');
    expect(socket.state).toMatchObject({ status: 'waiting', error: expect.any(SyntaxError) });
    socket.stop();
  });

  test.each([
    [401, 'signed out', 'signed_out'],
    [404, 'room not found', 'room_gone'],
  ] as const)('%i %s closes the connection: %s', async (status, message, reason) => {
    const { socket, clock, reached } = socketStage({ ticket: refusing(status, message) });
    socket.start();
    await reached('closed');
    expect(socket.state).toEqual({ status: 'closed', reason });
    expect(clock.nextInMs).toBeNull();
  });
});

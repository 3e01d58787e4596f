import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { lineStage } from '../testing/line-stage.ts';

const unreachable = async () => {
  throw new ApiError(0, 'no response');
};

const refusing = (status: number, message: string, options?: { retryAfterMs: number }) => async () => {
  throw new ApiError(status, message, options);
};

describe('reconnecting without a server', () => {
  test('waits 1.0, 1.5, 2.25 … up to 15 s, and never gives up', async () => {
    const { line, nextDelay } = lineStage({ ticket: unreachable });
    const delays: (number | null)[] = [];
    line.start();
    for (let i = 0; i < 12; i++) delays.push(await nextDelay());
    expect(delays.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(delays.slice(-3)).toEqual([15_000, 15_000, 15_000]);
    line.stop();
  });

  test('a wake retries at once', async () => {
    const { line, signal, reached } = lineStage({ ticket: unreachable });
    line.start();
    await reached('waiting');
    signal('wake');
    expect(line.state.status).toBe('connecting');
    line.stop();
  });

  test('a wake retries at once although the clock was set back', async () => {
    const { line, clock, signal, reached } = lineStage({ ticket: unreachable });
    line.start();
    await reached('waiting');
    clock.set(-3_600_000);
    signal('wake');
    expect(line.state.status).toBe('connecting');
    line.stop();
  });

  test('a wake repeats a request that has been running for 2 s: its network may be gone', async () => {
    let attempts = 0;
    const { line, clock, signal } = lineStage({
      ticket: () => {
        attempts += 1;
        return new Promise(() => {});
      },
    });
    line.start();
    clock.advance(1999);
    signal('wake');
    expect(attempts).toBe(1);
    clock.advance(1);
    signal('wake');
    expect(attempts).toBe(2);
    line.stop();
  });
});

describe('a ticket that is refused', () => {
  test('Retry-After is the minimum delay, except for the user', async () => {
    let attempts = 0;
    const { line, clock, signal, reached } = lineStage({
      ticket: () => {
        attempts += 1;
        return refusing(503, 'service unavailable', { retryAfterMs: 9000 })();
      },
    });
    line.start();
    await reached('waiting');
    expect(clock.nextInMs).toBe(9000);
    signal('wake');
    expect(line.state.status).toBe('waiting');
    line.retryNow();
    await reached('waiting');
    expect(attempts).toBe(2);
    line.stop();
  });

  test('clients with the same Retry-After return over as long again', async () => {
    const delays: (number | null)[] = [];
    for (const share of [0, 0.25, 0.5, 0.75]) {
      const { line, clock, reached } = lineStage({
        ticket: refusing(429, 'too many requests', { retryAfterMs: 4000 }),
        random: () => share,
      });
      line.start();
      await reached('waiting');
      delays.push(clock.nextInMs);
      line.stop();
    }
    expect(delays).toEqual([4000, 5000, 6000, 7000]);
  });

  test('repeated refusals are followed by longer delays, whatever Retry-After says', async () => {
    const { line, nextDelay } = lineStage({
      ticket: refusing(429, 'too many requests', { retryAfterMs: 1000 }),
    });
    line.start();
    expect([await nextDelay(), await nextDelay(), await nextDelay()]).toEqual([1000, 1500, 2250]);
    line.stop();
  });

  test.each([
    [401, 'invalid token'],
    [401, 'status 401'],
    [404, 'status 404'],
    [404, 'room not found'],
    [404, 'not found'],
    [400, 'status 400'],
  ])('a refusal that does not end the session (%i, %s) is retried', async (status, message) => {
    const { line, reached } = lineStage({ ticket: refusing(status, message) });
    line.start();
    await reached('waiting');
    line.stop();
  });

  test('an unexpected error is retried, and the state holds it', async () => {
    const odd = new Error('the disk is full');
    const { line, reached } = lineStage({ ticket: () => Promise.reject(odd) });
    line.start();
    await reached('waiting');
    expect(line.state).toMatchObject({ status: 'waiting', error: odd });
    line.stop();
  });

  test('a ticket that the platform rejects as a subprotocol is retried, and the state holds the error', async () => {
    const { line, reached } = lineStage({ at: 'ws://127.0.0.1:9', ticket: async () => 'a b' });
    line.start();
    await reached('waiting');
    expect(line.state).toMatchObject({ status: 'waiting', error: expect.any(SyntaxError) });
    line.stop();
  });

  test('401 signed out closes the connection', async () => {
    const { line, clock, reached } = lineStage({ ticket: refusing(401, 'signed out') });
    line.start();
    await reached('closed');
    expect(line.state).toEqual({ status: 'closed', reason: 'signed_out' });
    expect(clock.nextInMs).toBeNull();
  });
});

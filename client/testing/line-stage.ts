/** A `Line` on a clock that tests move, with everything that it reports. */
import { WebSocket } from 'ws';
import type { ConnectionState } from '../connection/connection-state.ts';
import type { HostSignal } from '../connection/host-signals.ts';
import { Line, type LineOptions } from '../connection/line.ts';
import { ManualClock } from './manual-clock.ts';
import { soon } from './room-stage.ts';

/** A promise, and the function that resolves it. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

/** `at`: the URL of the server. `reached` waits for a state of that status; `signal` acts as the device. */
export function lineStage({ at = '', ...options }: Partial<LineOptions> & { at?: string }) {
  const clock = new ManualClock();
  const states: ConnectionState[] = [];
  const frames: unknown[] = [];
  let signal: (what: HostSignal) => void = () => {};
  const line = new Line({
    url: at,
    start: () => ({ type: 'start' }),
    ticket: async () => 'abc',
    renewSession: async () => {},
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
    signals: (listener) => {
      signal = listener;
      return () => {};
    },
    WebSocket,
    clock,
    random: () => 0,
    ...options,
  });
  const reached = (status: ConnectionState['status']) => soon(() => line.state.status === status);
  /** The delay before the next attempt, which then starts. */
  const nextDelay = async () => {
    await reached('waiting');
    const delayMs = clock.nextInMs;
    clock.advance(delayMs ?? 0);
    return delayMs;
  };
  return { line, clock, states, frames, reached, nextDelay, signal: (what: HostSignal) => signal(what) };
}

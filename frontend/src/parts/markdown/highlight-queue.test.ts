import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HighlightQueue, type HighlightRequest, type HighlightWorker } from './highlight-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose workers respond when the test triggers it. */
function queue() {
  const workers: (HighlightWorker & { readonly asked: HighlightRequest[]; ended: boolean })[] = [];
  const made = new HighlightQueue(() => {
    const asked: HighlightRequest[] = [];
    const worker = {
      asked,
      ended: false,
      postMessage: (request: HighlightRequest) => void asked.push(request),
      terminate: () => {
        worker.ended = true;
      },
      onmessage: null,
      onerror: null,
    };
    workers.push(worker);
    return worker;
  });
  const at = (index: number) => {
    const worker = workers[index];
    if (worker === undefined) throw new Error(`worker ${index} was not started`);
    return worker;
  };
  return {
    workers,
    highlight: (code: string) => made.highlight({ code, language: 'ts' }),
    ready: (index = 0) => at(index).onmessage?.({ data: { kind: 'ready' } }),
    answer: (piece: string, index = 0) => at(index).onmessage?.({ data: { kind: 'done', pieces: [piece] } }),
    fail: (index = 0) => at(index).onerror?.(),
    asked: (index = 0) => at(index).asked.map(({ code }) => code),
  };
}

test('texts are highlighted one at a time, in order, by one worker', async () => {
  const { workers, highlight, ready, answer, asked } = queue();
  const [first, second] = [highlight('a'), highlight('b')];
  expect(asked()).toEqual([]);
  ready();
  expect(asked()).toEqual(['a']);
  answer('A');
  expect(asked()).toEqual(['a', 'b']);
  answer('B');
  expect([await first, await second]).toEqual([['A'], ['B']]);
  expect(workers).toHaveLength(1);
});

test('a text that takes longer than 2 s stays plain and ends its worker; the next has a fresh one', async () => {
  const { workers, highlight, ready, answer, asked } = queue();
  const [slow, next] = [highlight('[a]('), highlight('b')];
  ready();
  vi.advanceTimersByTime(2000);
  expect(await slow).toBeNull();
  expect(workers[0]?.ended).toBe(true);
  ready(1);
  expect(asked(1)).toEqual(['b']);
  answer('B', 1);
  expect(await next).toEqual(['B']);
});

test('the time that the worker takes to load does not count', async () => {
  const { highlight, ready, answer } = queue();
  const text = highlight('a');
  vi.advanceTimersByTime(60_000);
  ready();
  answer('A');
  expect(await text).toEqual(['A']);
});

test('a worker that cannot be loaded leaves what waits plain; the next text tries again', async () => {
  const { workers, highlight, ready, answer, fail } = queue();
  const waiting = [highlight('a'), highlight('b')];
  fail();
  expect(await Promise.all(waiting)).toEqual([null, null]);
  const again = highlight('c');
  expect(workers).toHaveLength(2);
  ready(1);
  answer('C', 1);
  expect(await again).toEqual(['C']);
});

test('at most 100 texts wait: the oldest stays plain', async () => {
  const { highlight } = queue();
  const all = Array.from({ length: 101 }, (_, index) => highlight(String(index)));
  expect(await all[0]).toBeNull();
});

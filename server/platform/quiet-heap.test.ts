import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { beginCollection, QuietHeap } from './quiet-heap.ts';

const MIB = 1024 * 1024;
const busy = (mib: number) => ({ utilization: 0.9, bytes: mib * MIB });
const quiet = (mib: number) => ({ utilization: 0.1, bytes: mib * MIB });

/** The seconds in which a collection begins. */
function roundsOf(heap: QuietHeap, looks: readonly { utilization: number; bytes: number }[]): number[] {
  return looks.flatMap((look, second) => (heap.look(look) === 'none' ? [] : [second]));
}

describe('QuietHeap', () => {
  it('collects in two rounds once it is quiet after a wave, and not again until the next wave', () => {
    const heap = new QuietHeap(30 * MIB);
    const wave = [busy(60), busy(130), busy(130)];
    const rest = Array.from({ length: 60 }, () => quiet(100));
    expect(roundsOf(heap, [...wave, quiet(130), ...rest])).toEqual([4, 7]);
    expect(roundsOf(heap, [...wave, quiet(130), quiet(130), ...rest])).toEqual([4, 7]);
  });

  it('moves objects together in the second round, when most of the garbage is gone', () => {
    const heap = new QuietHeap(30 * MIB);
    const tasks = Array.from({ length: 20 }, () => heap.look(quiet(100)));
    expect(tasks.filter((task) => task !== 'none')).toEqual(['collect', 'compact']);
  });

  it('never begins while the event loop has much to do', () => {
    const heap = new QuietHeap(30 * MIB);
    const looks = Array.from({ length: 100 }, (_, second) => (second % 2 === 0 ? busy(500) : quiet(500)));
    expect(roundsOf(heap, looks)).toEqual([]);
  });

  it('begins no further round when the event loop has much to do again', () => {
    const heap = new QuietHeap(30 * MIB);
    const again = Array.from({ length: 10 }, () => busy(100));
    expect(roundsOf(heap, [quiet(100), quiet(100), ...again, quiet(100), quiet(100)])).toEqual([1]);
  });

  it('leaves a heap alone that has grown by less than 16 MiB or a quarter', () => {
    const heap = new QuietHeap(30 * MIB);
    expect(roundsOf(heap, Array(100).fill(quiet(45)))).toEqual([]);
    const large = new QuietHeap(400 * MIB);
    expect(roundsOf(large, Array(100).fill(quiet(499)))).toEqual([]);
    expect(roundsOf(large, Array(100).fill(quiet(500))).length).toBe(2);
  });

  it('compares with the smallest heap since the last rounds', () => {
    const heap = new QuietHeap(100 * MIB);
    expect(roundsOf(heap, [quiet(100), quiet(40), quiet(56)])).toEqual([2]);
  });
});

/** Resolves when V8 has collected all objects. */
function collected(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const kinds = list
        .getEntries()
        .map((entry) => (entry as unknown as { detail: { kind: number } }).detail.kind);
      if (!kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ entryTypes: ['gc'] });
  });
}

describe('beginCollection', () => {
  it.each(['collect', 'compact'] as const)(
    'frees what nobody holds, and its own memory: %s',
    async (task) => {
      const garbage = Array.from({ length: 1000 }, (_, index) => new WeakRef({ index }));
      const held = { held: true };
      const kept = new WeakRef(held);
      const before = process.memoryUsage().arrayBuffers;
      // Asking for an object keeps it for a moment. The test's time limit ends a wait in vain.
      do {
        await sleep(1);
        const end = collected();
        beginCollection(task);
        await end;
      } while (garbage.some((ref) => ref.deref() !== undefined));
      while (process.memoryUsage().arrayBuffers - before >= MIB) await sleep(10);
      expect(kept.deref()).toBe(held);
    },
  );
});

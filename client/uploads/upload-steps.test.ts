/** An upload against a server that cuts, forgets and refuses: whatever happens, the server ends with the bytes of the file. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterAnswer, beginUpload, CHUNK, chunkAfter, type UploadState } from './upload-steps.ts';

/** A server that has one file, and what happens to each request. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('well' as const), tookMs: fc.nat(20_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      arrived: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'busy' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'proxy' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'moved on' as const }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

class Server {
  offset: number | null = null;
  creations = 0;
  resent = 0;

  answer(state: UploadState, what: Happening, size: number): UploadState {
    if (what.kind === 'busy') return refused(state, 503, 'overloaded');
    if (state.key === null) {
      // The response to a creation can be lost, too: the server then keeps an upload that nobody goes on with.
      this.offset = 0;
      this.creations += 1;
      return what.kind === 'cut'
        ? refused(state, 0, 'no response')
        : afterAnswer(state, { kind: 'created', key: 'k' });
    }
    const at = this.offset ?? 0;
    if (state.step === 'ask') {
      return what.kind === 'cut'
        ? refused(state, 0, 'no response')
        : afterAnswer(state, { kind: 'offset', offset: at });
    }
    const bytes = Math.min(state.chunk, size - state.offset);
    if (what.kind === 'moved on') this.offset = Math.min(size, at + 1);
    if (state.offset !== this.offset) return refused(state, 409, 'upload is at another offset');
    if (what.kind === 'proxy' && bytes > CHUNK.least) return refused(state, 413, 'status 413');
    const arrived = what.kind === 'cut' ? Math.floor(bytes * what.arrived) : bytes;
    this.offset = at + arrived;
    if (what.kind === 'cut') return refused(state, 0, 'no response');
    const tookMs = what.kind === 'well' ? what.tookMs : 3000;
    return afterAnswer(state, { kind: 'sent', offset: this.offset, bytes, tookMs });
  }
}

function refused(state: UploadState, status: number, error: string): UploadState {
  return afterAnswer(state, { kind: 'refused', status, error });
}

test('whatever is cut, every byte arrives once, in chunks of 16 KiB to 8 MiB', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40_000_000 }),
      fc.array(happening, { maxLength: 60 }),
      (size, story) => {
        const server = new Server();
        let state = beginUpload(size);
        const step = (what: Happening) => {
          const before = server.offset;
          state = server.answer(state, what, size);
          expect(state.chunk).toBeGreaterThanOrEqual(CHUNK.least);
          expect(state.chunk).toBeLessThanOrEqual(CHUNK.most);
          // What was answered is never sent again.
          if (state.key !== null && before !== null)
            expect(state.offset).toBeLessThanOrEqual(server.offset ?? 0);
        };
        for (const what of story) if (state.step !== 'complete') step(what);
        for (let left = 10_000; state.step !== 'complete' && left > 0; left--)
          step({ kind: 'well', tookMs: 1000 });
        expect(state).toMatchObject({ step: 'complete', offset: size });
        expect(server.offset).toBe(size);
      },
    ),
  );
});

test('a chunk takes three seconds at the rate of the last one, and at most twice as many bytes', () => {
  expect(chunkAfter(256 * 1024, { bytes: 256 * 1024, tookMs: 6000 })).toBe(128 * 1024);
  expect(chunkAfter(256 * 1024, { bytes: 256 * 1024, tookMs: 1 })).toBe(512 * 1024);
  expect(chunkAfter(CHUNK.most, { bytes: CHUNK.most, tookMs: 1 })).toBe(CHUNK.most);
  expect(chunkAfter(CHUNK.least, { bytes: CHUNK.least, tookMs: 60_000 })).toBe(CHUNK.least);
  // The end of a file.
  expect(chunkAfter(256 * 1024, { bytes: 10, tookMs: 100 })).toBe(256 * 1024);
});

test('413, 408 and a cut halve the chunk, and the server is asked how far it is', () => {
  const sending = afterAnswer(beginUpload(10_000_000), { kind: 'created', key: 'k' });
  for (const [status, error] of [
    [413, 'status 413'],
    [408, 'request timeout'],
    [0, 'no response'],
  ] as const) {
    expect(refused(sending, status, error)).toMatchObject({ step: 'ask', key: 'k', chunk: CHUNK.first / 2 });
  }
});

test('an upload that the server has forgotten begins anew, three times', () => {
  let state = beginUpload(1000, 'old', 400);
  for (let round = 0; round < 3; round++) {
    state = refused(state, 404, 'file not found');
    expect(state).toMatchObject({ step: 'create', key: null, offset: 0 });
    state = afterAnswer(state, { kind: 'created', key: `k${round}` });
  }
  expect(refused(state, 404, 'file not found')).toMatchObject({ step: 'failed', code: 'refused' });
});

test('what cannot go on says why', () => {
  const created = beginUpload(1000);
  expect(refused(created, 413, 'payload too large').code).toBe('payload_too_large');
  const tried = { ...created, failures: 3 };
  expect(refused(created, 409, 'limit reached')).toMatchObject({ step: 'create', failures: 1, code: null });
  expect(refused(tried, 409, 'limit reached').code).toBe('too_many');
  expect(refused(created, 507, 'no space for files').code).toBe('no_space');
  expect(refused(created, 403, 'not allowed').code).toBe('not_allowed');
  expect(refused(created, 404, 'room not found').code).toBe('room_not_found');
  expect(afterAnswer(created, { kind: 'unreadable' }).code).toBe('unreadable');
});

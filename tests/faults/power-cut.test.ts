import { describe, expect, test } from 'vitest';
import { PatchedServer } from '../support/patched-server.ts';
import { cutThePower } from './power-cut.ts';
import { whyNoTracing } from './storage-trace.ts';
import { putOnTrial } from './trial.ts';

const reason = whyNoTracing();
if (reason !== undefined) console.info(`skipped: ${reason}`);

const SMALL = { people: 6, rooms: 3, window: 4, acks: 600, cuts: 30 };

describe.skipIf(reason !== undefined)('a power cut', { timeout: 240_000 }, () => {
  test('at any moment the disk holds every ack', async () => {
    await putOnTrial({
      promise: 'G1',
      name: 'power cut, short',
      run: (seed) => cutThePower(seed, SMALL),
    });
  });

  test.each(['OFF', 'NORMAL'])('the control, with synchronous=%s, loses acks', async (mode) => {
    await using patched = await PatchedServer.make([
      {
        file: 'server/data/storage/sqlite/database.js',
        find: 'PRAGMA synchronous = FULL;',
        replace: `PRAGMA synchronous = ${mode};`,
      },
    ]);
    const control = cutThePower(1, { ...SMALL, main: patched.main });
    await expect(control).rejects.toThrow(/acks lost|not sound|no such table|malformed/);
  });
});

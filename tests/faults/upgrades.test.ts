import { describe, expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../server/data/storage/migrations/migrations.ts';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { StartError } from '../support/server-process.ts';
import { makeNewerBuild, NEWER_SCHEMA } from './newer-build.ts';
import { putOnTrial } from './trial.ts';
import { upgradeAndRollBack } from './upgrades.ts';

describe.skipIf(whyNoCluster() !== undefined)('a newer build with another schema and other envelopes', () => {
  test('serves beside this one under traffic, and is rolled back: nothing acked is lost', {
    timeout: 240_000,
  }, async () => {
    await using newer = await makeNewerBuild(SCHEMA_VERSION);
    await putOnTrial({
      promise: 'G10',
      name: 'upgrade to a newer build, short',
      run: (seed) =>
        upgradeAndRollBack(seed, {
          ...{ processes: 2, people: 6, rooms: 2, window: 2 },
          ...{ rounds: 1, acksBetween: 200, newer: newer.main },
        }),
    });
  });

  test('whose schema this one may not run on: this one does not start any more, and says why', {
    timeout: 240_000,
  }, async () => {
    await using newer = await makeNewerBuild(NEWER_SCHEMA);
    await using cluster = await Cluster.start({ processes: 1, main: newer.main });
    const error = await cluster.replace(0).catch((reason: unknown) => reason);
    if (!(error instanceof StartError)) throw error;
    expect(error.exit).toEqual({ code: 2, signal: null });
    expect(error.stderr).toBe(
      `The database was written by a newer Roomful (schema ${NEWER_SCHEMA}; this one knows ${SCHEMA_VERSION}). ` +
        'Start that version or a later one.\n',
    );
  });
});

import { describe, expect, test } from 'vitest';
import { whyNoCluster } from '../support/cluster.ts';
import { PatchedServer } from '../support/patched-server.ts';
import { raceThroughProcesses } from './cluster-races.ts';
import { putOnTrial } from './trial.ts';

describe.skipIf(whyNoCluster() !== undefined)('through three processes', () => {
  test('once: 1 000 rounds of each act, 6 attempts at the same moment', async () => {
    await putOnTrial({
      promise: 'G6',
      name: 'races through processes',
      run: () => raceThroughProcesses({ rounds: 1000, processes: 3, racers: 6 }),
    });
  });

  test('control: an invitation that is accepted without its room locked has two winners', async () => {
    await using patched = await PatchedServer.make([
      {
        file: 'server/data/storage/postgres/backend.js',
        find: "name === 'acceptInvite' ? await this.#roomOfInvite(args) : roomId",
        replace: 'roomId',
      },
    ]);
    const races = raceThroughProcesses({ rounds: 100, processes: 3, racers: 6, main: patched.main });
    await expect(races).rejects.toThrow(/^last use of an invitation:/);
  });
});

/** The process at rest: how long it takes to start, and how much memory it uses without clients. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, startRoomful } from '../contenders/roomful.ts';
import { median } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const IDLE_MS = 10_000;
const MIB = 1024 * 1024;

export async function measureAtRest(bench: Bench): Promise<Result> {
  const dataDir = await makeDataDir();
  // The first start creates the database and the secret, so it has a row of its own.
  const starts = [];
  for (let start = 0; start <= bench.options.rounds; start++) {
    bench.progress(`at rest: start ${start}`);
    // The settings are those of `npm start`, except for the port and the data folder.
    const server = await startRoomful(
      dataDir,
      { cores: bench.cores.server, nodeArgs: [] },
      { PORT: '0', LOG_LEVEL: 'warn' },
    );
    await sleep(IDLE_MS);
    starts.push({ ms: server.startMs, residentBytes: server.residentBytes() });
    await server.stop();
  }
  await rm(dataDir, { recursive: true, force: true });
  const [first, ...others] = starts;
  return {
    title: 'Process at rest',
    note: `The start is from spawning to the ready line. Resident memory is read ${IDLE_MS / 1000} s later.`,
    table: {
      head: ['', 'start ms', 'resident MiB'],
      rows: [
        ['first start', count(first?.ms ?? Number.NaN), decimal((first?.residentBytes ?? Number.NaN) / MIB)],
        [
          'later starts',
          count(median(others.map(({ ms }) => ms))),
          decimal(median(others.map(({ residentBytes }) => residentBytes)) / MIB),
        ],
      ],
    },
    data: starts,
  };
}

/** Idle sockets: how much memory each one takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contenders/contender.ts';
import { contendersWithoutBun, serverOptions } from '../contenders/contenders.ts';
import { roomful, roomfulV1 } from '../contenders/roomful.ts';
import { Load } from '../load/load.ts';
import { planListeners } from '../load/plan.ts';
import { openFilesLimit } from '../pinned-process.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const ROOMS = 150;
/** Long enough for the memory that connecting took to be freed. */
const SETTLE_MS = 10_000;
/** Files that a process has open in addition to its sockets. */
export const OTHER_FILES = 200;
const KIB = 1024;
const MIB = 1024 * KIB;

interface Measured {
  contender: Contender;
  emptyBytes: number;
  fullBytes: number;
}

export async function measureIdleSockets(bench: Bench): Promise<Result> {
  const possible = Math.min(bench.options.sockets, openFilesLimit() - OTHER_FILES);
  const contenders = contendersWithoutBun(bench.options).flatMap((one) =>
    one === roomful ? [roomful, roomfulV1] : one,
  );
  const rows: Measured[] = [];
  for (const contender of contenders) {
    bench.progress(`idle sockets: ${contender.name}`);
    rows.push(await fill(bench, contender, possible));
  }
  const tooFew = possible < bench.options.sockets ? ' (all that the limit of open files allows)' : '';
  return {
    title: 'Idle sockets',
    note:
      `${count(possible)} sockets${tooFew} in ${ROOMS} rooms. The figure is the resident memory ` +
      `${SETTLE_MS / 1000} s after the last socket was opened, minus that before the first.`,
    table: {
      head: ['server', 'empty MiB', 'full MiB', 'KiB per socket'],
      rows: rows.map(({ contender, emptyBytes, fullBytes }) => [
        contender.name,
        count(emptyBytes / MIB),
        count(fullBytes / MIB),
        decimal((fullBytes - emptyBytes) / KIB / possible),
      ]),
    },
    data: rows.map(({ contender, ...bytes }) => ({ contender: contender.name, sockets: possible, ...bytes })),
  };
}

/** Opens this many listeners, and reads the memory before and after. */
export async function fill(bench: Bench, contender: Contender, sockets: number): Promise<Measured> {
  const running = await contender.start(serverOptions(contender, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    const doors = (await running.makeRooms(ROOMS)).flat();
    const emptyBytes = running.process.residentBytes();
    await load.open(planListeners(doors, sockets));
    await sleep(SETTLE_MS);
    return { contender, emptyBytes, fullBytes: running.process.residentBytes() };
  } finally {
    await load.stop();
    await running.stop();
  }
}

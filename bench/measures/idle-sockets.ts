/** Idle sockets: how much memory each one takes, some time after they came and something was said in their rooms. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../contenders/contender.ts';
import { BEFORE, contendersWithoutBun, serverOptions } from '../contenders/contenders.ts';
import { createRoomful, roomful, roomfulV1 } from '../contenders/roomful.ts';
import { Load } from '../load/load.ts';
import { planListeners, planSenders } from '../load/plan.ts';
import { openFilesLimit } from '../pinned-process.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const ROOMS = 150;
/** Rooms on the list of a line that is no plain one. */
const LISTED = 10;
/** Messages in each room, after all sockets were opened. */
const MESSAGES = 10;
/** Long enough for the memory that connecting and talking took to be freed. */
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
  const rows: Measured[] = [];
  for (const contender of contendersOf(bench)) {
    bench.progress(`idle sockets: ${contender.name}`);
    rows.push(await fill(bench, contender, possible));
  }
  const tooFew = possible < bench.options.sockets ? ' (all that the limit of open files allows)' : '';
  return {
    title: 'Idle sockets',
    note:
      `${count(possible)} sockets${tooFew} in ${ROOMS} rooms, each of which gets ${MESSAGES} messages once all are open. ` +
      `The figure is the resident memory ${SETTLE_MS / 1000} s after the last message, minus that before the first ` +
      `socket. A line has one room open, and none or ${LISTED} on its list.`,
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

/** With each kind of Roomful's sockets. */
function contendersOf({ options }: Bench): Contender[] {
  return contendersWithoutBun(options).flatMap((one) => {
    if (one === roomful) return [lineOf('Roomful'), lineOf('Roomful', LISTED), roomfulV1];
    return one.name === BEFORE ? lineOf(BEFORE, LISTED, options.before) : one;
  });
}

function lineOf(name: string, listed = 0, root?: string): Contender {
  return createRoomful(`${name}, ${listed === 0 ? 'empty list' : `${listed} rooms`}`, {
    listed,
    ...(root !== undefined && { root }),
  });
}

/** Opens this many sockets, lets one in each room talk, and reads the memory before and after. */
export async function fill(bench: Bench, contender: Contender, sockets: number): Promise<Measured> {
  const running = await contender.start(serverOptions(contender, bench));
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    const rooms = await running.makeRooms(ROOMS);
    await sleep(SETTLE_MS);
    const emptyBytes = running.process.residentBytes();
    await load.open(planListeners(rooms.flat(), sockets - ROOMS));
    const entrances = rooms.flatMap(([first]) => first ?? []);
    await load.open(planSenders(entrances, 1));
    await load.post(MESSAGES);
    await sleep(SETTLE_MS);
    return { contender, emptyBytes, fullBytes: running.process.residentBytes() };
  } finally {
    await load.stop();
    await running.stop();
  }
}

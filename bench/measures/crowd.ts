/** What comings and goings, and typing, cost in a room with thousands of sockets. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serverOptions } from '../contenders/contenders.ts';
import { roomful } from '../contenders/roomful.ts';
import { Load, span } from '../load/load.ts';
import { OwnLine } from '../load/own-line.ts';
import { type Door, planListeners } from '../load/plan.ts';
import { openFilesLimit } from '../pinned-process.ts';
import { count, decimal } from '../table.ts';
import { OTHER_FILES } from './idle-sockets.ts';
import type { Bench, Result } from './measure.ts';

const SIZES = [1000, 10_000];
/** So few that changes of presence are collected for the shortest time, which is the dearest case. */
const USERS = 200;
const COMERS = 40;
const ACTS_PER_SECOND = 20;
/** Longer than the first typing of a room, which may come at once. */
const SETTLE_MS = 10_000;
const SPANS = ['nothing happens', 'joins and leaves', 'typing begins and ends'] as const;
const MIB = 1024 * 1024;

interface Row {
  sockets: number;
  span: (typeof SPANS)[number];
  serverCpu: number;
  framesPerSecond: number;
  residentBytes: number;
}

export async function measureCrowd(bench: Bench): Promise<Result> {
  const rows: Row[] = [];
  for (const sockets of SIZES) {
    rows.push(...(await measureRoom(bench, Math.min(sockets, openFilesLimit() - OTHER_FILES))));
  }
  return {
    title: 'A crowd',
    note:
      `One room, whose sockets belong to ${USERS} users. ${COMERS} further users act ${ACTS_PER_SECOND} times a second, ` +
      'all together: they open and close a line with the room in sight, or they begin and end to type. A tenth of a ' +
      'core is 0.1; a new line costs some of it in any room.',
    table: {
      head: ['sockets', 'what', 'server CPU', 'frames/s', 'MiB'],
      rows: rows.map((row) => [
        ...[count(row.sockets), row.span, row.serverCpu.toFixed(3)],
        ...[count(row.framesPerSecond), decimal(row.residentBytes / MIB)],
      ]),
    },
    data: rows,
  };
}

async function measureRoom(bench: Bench, sockets: number): Promise<Row[]> {
  const running = await roomful.start({ ...serverOptions(roomful, bench), users: USERS + COMERS });
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    const [room = []] = await running.makeRooms(1);
    const doors = room.map(inSight);
    bench.progress(`crowd: ${count(sockets)} sockets`);
    await load.open(planListeners(doors.slice(0, USERS), sockets));
    await sleep(SETTLE_MS);
    const rows: Row[] = [];
    for (const name of SPANS) {
      bench.progress(`crowd: ${count(sockets)} sockets, ${name}`);
      const acts = await begin(name, doors.slice(USERS));
      const cpuFrom = running.process.cpuSeconds();
      const from = await load.mark(false);
      await sleep(bench.options.seconds * 1000);
      const { seconds, frames } = span(from, await load.mark(false));
      const serverCpu = (running.process.cpuSeconds() - cpuFrom) / seconds;
      await acts.end();
      rows.push({
        ...{ sockets, span: name, serverCpu, framesPerSecond: frames / seconds },
        residentBytes: running.process.residentBytes(),
      });
    }
    return rows;
  } finally {
    await load.stop();
    await running.stop();
  }
}

/** The users of a room's sockets are in it. */
function inSight(door: Door): Door {
  return { ...door, hello: [...door.hello, JSON.stringify({ type: 'here', room_id: roomOf(door) })] };
}

function roomOf({ hello }: Door): number {
  const ids = hello.map((frame) => (JSON.parse(frame) as { room_id?: number }).room_id);
  return ids.find((id) => id !== undefined) ?? 0;
}

/** Begins what happens in a span, and waits until it is in full swing. */
async function begin(name: Row['span'], doors: Door[]): Promise<{ end(): Promise<void> }> {
  if (name === 'nothing happens') return { end: async () => undefined };
  const lines = new Map<Door, OwnLine>();
  const isTyping = name === 'typing begins and ends';
  const enter = async (door: Door) => {
    const line = await OwnLine.open(door);
    line.enter(roomOf(door));
    lines.set(door, line);
  };
  if (isTyping) for (const door of doors) await enter(door);
  let acts = 0;
  let last: Promise<unknown> = Promise.resolve();
  const act = async () => {
    const round = Math.floor(acts / doors.length);
    const door = doors[acts++ % doors.length];
    if (!door) return;
    const line = lines.get(door);
    if (isTyping) return line?.type(roomOf(door), round % 2 === 0);
    if (line === undefined) return await enter(door);
    line.close();
    lines.delete(door);
  };
  const timer = setInterval(() => {
    last = Promise.all([last, act()]);
  }, 1000 / ACTS_PER_SECOND);
  await sleep(SETTLE_MS);
  return {
    async end() {
      clearInterval(timer);
      await last;
      for (const line of lines.values()) line.close();
    },
  };
}

/** Lines beside sockets of chatroom.v1, which have one room: what a room that is open delivers, and what the rooms in brief cost. */
import { createRoomful, roomful, roomfulV1 } from '../contenders/roomful.ts';
import { openFilesLimit } from '../pinned-process.ts';
import { median } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import { measureRoom } from './fan-out.ts';
import { fill, OTHER_FILES } from './idle-sockets.ts';
import type { Bench, Result } from './measure.ts';

const ROOM = 1000;
const WINDOW = 8;
const BRIEF_ROOMS = 50;
const KIB = 1024;

export async function measureLines(bench: Bench): Promise<Result> {
  const rows = await measureRoom(
    { ...bench, options: { ...bench.options, windows: [WINDOW] } },
    [roomfulV1, roomful],
    ROOM,
  );
  const deliveries = rows.map(({ turns }) => median(turns.map((turn) => turn.deliveriesPerSecond)));
  const cpu = rows.map(({ turns }) => median(turns.map((turn) => turn.deliveriesPerSecond / turn.serverCpu)));
  const ratio = rows[1]?.ratios[roomfulV1.name] ?? Number.NaN;

  const sockets = Math.min(bench.options.sockets, openFilesLimit() - OTHER_FILES);
  const perSocket: number[] = [];
  for (const brief of [0, BRIEF_ROOMS]) {
    const contender = createRoomful(`${brief} rooms in brief`, { brief });
    bench.progress(`idle lines: ${contender.name}`);
    const { emptyBytes, fullBytes } = await fill(bench, contender, sockets);
    perSocket.push((fullBytes - emptyBytes) / KIB / sockets);
  }
  const [alone = 0, withBrief = 0] = perSocket;
  return {
    title: 'Lines',
    note:
      `One room of ${ROOM} sockets, window ${WINDOW}, as in the fan-out. Below it ${count(sockets)} idle lines with one ` +
      `room open, without and with ${BRIEF_ROOMS} rooms in brief.`,
    table: {
      head: ['', 'a socket of chatroom.v1', 'a line', 'ratio'],
      rows: [
        ['deliveries/s', ...deliveries.map(count), decimal(ratio)],
        ['per server CPU s', ...cpu.map(count), decimal((cpu[1] ?? 0) / (cpu[0] ?? 1))],
        ['KiB per idle line', decimal(alone), decimal(withBrief), `+${decimal(withBrief - alone)} KiB`],
      ],
    },
    data: { deliveries, cpu, ratio, sockets, perSocket },
  };
}

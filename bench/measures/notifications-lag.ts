/** How long after it was sent a mention notifies, while a room posts at a given rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serverOptions } from '../contenders/contenders.ts';
import { startCrowdedRoomful } from '../contenders/crowded-roomful.ts';
import { roomful } from '../contenders/roomful.ts';
import { eachSendTime, nowUs } from '../load/content.ts';
import { Load } from '../load/load.ts';
import { OwnLine } from '../load/own-line.ts';
import { planRoom } from '../load/plan.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { occupy } from './turn.ts';

const ROOM = 100;
const SENDERS = 10;
const BATCH_MS = 100;
/** Messages of each sender in a batch. */
const BATCHES = [1, 10];

interface Lag {
  notified: number;
  sent: number;
  p50: number;
  p99: number;
  worst: number;
}

type Measured = Pick<Result, 'note' | 'table' | 'data'>;

export async function measureLag(bench: Bench): Promise<Measured> {
  const rows = BATCHES.map((batch) => ({ batch, lags: [] as Lag[] }));
  const running = await startCrowdedRoomful(serverOptions(roomful, bench), ROOM);
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  let line: OwnLine | undefined;
  try {
    const { doors, members } = running;
    const [named] = members.slice(-1);
    const namedDoor = doors.at(-1);
    if (!named || !namedDoor) throw new Error('a room has members');
    const mentioning = doors.map((door, index) => {
      const [prefix, suffix] = door.frame;
      return index === 0
        ? { ...door, frame: [`${prefix}@${named.username} `, suffix] as [string, string] }
        : door;
    });
    // The senders alone: who is named has no room open.
    await occupy(load, planRoom(mentioning.slice(0, SENDERS), SENDERS, SENDERS));
    line = await OwnLine.open(namedDoor);
    for (let round = 1; round <= bench.options.rounds; round++)
      for (const { batch, lags } of rows) {
        bench.progress(
          `lag of notifications, round ${round}: ${(batch * SENDERS * 1000) / BATCH_MS} messages a second`,
        );
        lags.push(await measureOne({ line, load, batch }, bench.options.seconds));
      }
  } finally {
    line?.close();
    await load.stop();
    await running.stop();
  }
  return {
    note:
      `Notifications of a room of ${ROOM}, in which ${SENDERS} people post; one of them mentions somebody ` +
      'in each text. The lag is from sending a text to the frame `notify` of the person who is named.',
    table: {
      head: ['messages/s', 'mentions/s', 'lag p50 ms', 'p99 ms', 'worst ms', 'not notified'],
      rows: rows.map(({ batch, lags }) => {
        const middle = (pick: (lag: Lag) => number) => median(lags.map(pick));
        return [
          count((batch * SENDERS * 1000) / BATCH_MS),
          count((batch * 1000) / BATCH_MS),
          ...[decimal(middle(({ p50 }) => p50)), decimal(middle(({ p99 }) => p99))],
          ...[
            decimal(middle(({ worst }) => worst)),
            count(Math.max(...lags.map((lag) => lag.sent - lag.notified))),
          ],
        ];
      }),
    },
    data: rows,
  };
}

async function measureOne(
  { line, load, batch }: { line: OwnLine; load: Load; batch: number },
  seconds: number,
): Promise<Lag> {
  const lags: number[] = [];
  line.onFrame = ({ type, body = '' }) => {
    if (type !== 'notify') return;
    const now = nowUs();
    eachSendTime(Buffer.from(body), (sentAt) => lags.push((now - sentAt) / 1000));
  };
  const batches = Math.round((seconds * 1000) / BATCH_MS);
  const from = performance.now();
  for (let index = 0; index < batches; index++) {
    await load.post(batch);
    await sleep(Math.max(0, from + (index + 1) * BATCH_MS - performance.now()));
  }
  const sent = batches * batch;
  // What does not come in ten seconds does not come.
  for (let left = 100; left > 0 && lags.length < sent; left--) await sleep(100);
  const worst = lags.reduce((most, lag) => Math.max(most, lag), 0);
  return { notified: lags.length, sent, p50: percentile(lags, 0.5), p99: percentile(lags, 0.99), worst };
}

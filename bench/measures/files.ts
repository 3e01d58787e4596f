/** Uploads: what their bytes cost the server, beside @tus/server, and what they cost those who talk meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serverOptions } from '../contenders/contenders.ts';
import { lineDoorTo, roomful } from '../contenders/roomful.ts';
import type { ServerProcess } from '../contenders/server-process.ts';
import { startRoomfulForUploads, startTusServer, type UploadServer } from '../contenders/upload-servers.ts';
import { Load } from '../load/load.ts';
import { planSenders } from '../load/plan.ts';
import { UploaderProcess, type UploadPlan } from '../load/uploader.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const TALK_ROOMS = 10;
const SENDERS_PER_ROOM = 2;
const MESSAGES_PER_SECOND = 200;
const WARM_UP_MS = 1000;
const LOOK_EVERY_MS = 100;
/** A server whose CPU stands still for this long has nothing left to do. */
const QUIET_MS = 500;

type Work = Pick<UploadPlan, 'uploads' | 'bytesPerSecond' | 'part' | 'bytes' | 'isComplete'>;

/** A slow line gets a part through in three seconds. `seconds` is the time of a turn. */
function slow(kibPerSecond: number, seconds: number): Work {
  const bytesPerSecond = kibPerSecond * KIB;
  const part = 3 * bytesPerSecond;
  const parts = Math.max(1, Math.round(seconds / 3));
  return { uploads: 100, bytesPerSecond, part, bytes: parts * part, isComplete: false };
}

function worksOf(seconds: number): Record<string, Work> {
  const whole = { bytesPerSecond: undefined, part: 8 * MIB, bytes: 8 * MIB, isComplete: true };
  return {
    '100 lines of 2 Mbit/s': slow(256, seconds),
    '100 lines of 0.5 Mbit/s': slow(64, seconds),
    '4 lines without a limit': { ...whole, uploads: 4, bytes: 48 * MIB, isComplete: false },
    'the same, and the check of each file': { ...whole, uploads: 4, bytes: 48 * MIB },
  };
}

/** What the talk is measured beside. */
const BESIDE = '100 lines of 2 Mbit/s';

interface Turn {
  mib: number;
  seconds: number;
  cpuMsPerMib: number;
  answerMs: { p50: number; p99: number };
  /** Of the resident memory, from before the turn to its highest. */
  grownMib: number;
  loadCpu: number;
}

interface Row {
  what: string;
  server: string;
  isDurable: boolean;
  turns: Turn[];
}

interface Talk {
  alone: number[][];
  beside: number[][];
}

export async function measureFiles(bench: Bench): Promise<Result> {
  const { rounds, seconds } = bench.options;
  const works = worksOf(seconds * 2);
  const most = Math.max(...Object.values(works).map(({ uploads }) => uploads));
  const uploader = new UploaderProcess(bench.cores.load);
  const servers: UploadServer[] = [];
  try {
    servers.push(await startRoomfulForUploads(serverOptions(roomful, bench), most));
    servers.push(
      await startTusServer(
        serverOptions(roomful, { ...bench, options: { ...bench.options, profile: undefined } }),
      ),
    );
    const rows = Object.keys(works).flatMap((what) =>
      servers.map(({ name, isDurable }): Row => ({ what, server: name, isDurable, turns: [] })),
    );
    for (let round = 1; round <= rounds; round++)
      for (const [what, work] of Object.entries(works))
        for (const server of servers) {
          const turn = await runTurn(server, uploader, work);
          rows.find((row) => row.what === what && row.server === server.name)?.turns.push(turn);
          bench.progress(
            `files, round ${round}, ${what}, ${server.name}: ${decimal(turn.cpuMsPerMib)} ms a MiB, RSS +${decimal(turn.grownMib)} MiB`,
          );
        }
    const [ours] = servers;
    if (!ours) throw new Error('there is a server');
    const talk = await measureTalk(bench, ours, uploader, works[BESIDE]);
    return resultOf(rows, talk);
  } finally {
    await uploader.stop();
    for (const server of servers) await server.stop();
  }
}

async function runTurn(
  { process, target }: UploadServer,
  uploader: UploaderProcess,
  work: Work,
): Promise<Turn> {
  await uploader.begin({ ...target, ...work });
  await settle(process);
  const before = process.residentBytes();
  const cpuFrom = process.cpuSeconds();
  let highest = before;
  const looking = setInterval(() => {
    highest = Math.max(highest, process.residentBytes());
  }, LOOK_EVERY_MS);
  const { seconds, answerMs, cpu } = await uploader.send();
  await settle(process);
  clearInterval(looking);
  const mib = (work.uploads * work.bytes) / MIB;
  const used = process.cpuSeconds() - cpuFrom;
  await uploader.delete();
  return {
    ...{ mib, seconds, cpuMsPerMib: (used * 1000) / mib, grownMib: (highest - before) / MIB },
    ...{
      answerMs: { p50: percentile(answerMs, 0.5), p99: percentile(answerMs, 0.99) },
      loadCpu: cpu / seconds,
    },
  };
}

async function settle(process: ServerProcess): Promise<void> {
  for (let last = -1; ; ) {
    const cpu = process.cpuSeconds();
    // A tick of the clock that counts CPU time may be of something else.
    if (cpu - last < 0.015) return;
    last = cpu;
    await sleep(QUIET_MS);
  }
}

/** How long people wait for their acks, alone and beside uploads, in turns. */
async function measureTalk(
  bench: Bench,
  { process, tokens, target }: UploadServer,
  uploader: UploaderProcess,
  work: Work | undefined,
): Promise<Talk> {
  if (!work) throw new Error('the talk is beside one of the uploads');
  const { rounds, seconds } = bench.options;
  const load = new Load(1, bench.cores.load);
  const talk: Talk = { alone: [], beside: [] };
  try {
    const doors = target.people
      .slice(0, TALK_ROOMS)
      .map(({ roomId }, index) => lineDoorTo(process.port, roomId, tokens[index] ?? ''));
    await load.open(planSenders(doors, SENDERS_PER_ROOM), 1);
    const timed = async (meanwhile: () => Promise<unknown>) => {
      await load.flow(MESSAGES_PER_SECOND);
      await sleep(WARM_UP_MS);
      await load.flowCounts(true);
      await meanwhile();
      await load.flowCounts(false);
      await load.flow(0);
      return Array.from((await load.halt()).answer);
    };
    for (let round = 0; round < rounds; round++) {
      talk.alone.push(await timed(() => sleep(seconds * 2000)));
      await uploader.begin({ ...target, ...work });
      talk.beside.push(await timed(() => uploader.send()));
      await uploader.delete();
      bench.progress(`files: talk, round ${round + 1}`);
    }
    return talk;
  } finally {
    await load.stop();
  }
}

function resultOf(rows: Row[], talk: Talk): Result {
  const [alone, beside] = [talk.alone.flat(), talk.beside.flat()];
  return {
    title: 'Uploads',
    note:
      'Uploads by tus 1.0. A slow line gets one request through in three seconds, which is then answered; a line without ' +
      'a limit sends 8 MiB in a request. Roomful has the bytes and the offset on the disk before it answers, and judges ' +
      'who may upload. @tus/server with its store on a folder syncs nothing, and admits everybody. The last row is until ' +
      'Roomful knows the kind and the hash of each file; @tus/server does not look. Lowest and highest of the rounds.',
    table: {
      head: [
        'uploads',
        'server',
        'synced',
        'server CPU ms a MiB',
        'MiB/s',
        'answer p50 ms',
        'p99 ms',
        'RSS + MiB',
        'load CPU',
      ],
      rows: rows.map(toCells),
    },
    more: [
      {
        note:
          `${TALK_ROOMS * SENDERS_PER_ROOM} people in ${TALK_ROOMS} rooms send ${MESSAGES_PER_SECOND} messages a ` +
          `second to Roomful, in turns alone and beside ${BESIDE}, all of which upload.`,
        table: {
          head: ['talk', 'acks', 'ack p50 ms', 'p99 ms', '× p50', '× p99', '× p99 of the rounds'],
          rows: [
            talkCells('alone', alone, alone, talk.alone, talk.alone),
            talkCells('beside uploads', beside, alone, talk.beside, talk.alone),
          ],
        },
      },
    ],
    data: { rows, talk },
  };
}

function toCells({ what, server, isDurable, turns }: Row): string[] {
  const range = (pick: (turn: Turn) => number) => {
    const values = turns.map(pick);
    return `${decimal(median(values))} (${decimal(Math.min(...values))}-${decimal(Math.max(...values))})`;
  };
  const middle = (pick: (turn: Turn) => number) => median(turns.map(pick));
  return [
    ...[what, server, isDurable ? 'yes' : 'no', range(({ cpuMsPerMib }) => cpuMsPerMib)],
    ...[
      decimal(middle(({ mib, seconds }) => mib / seconds)),
      decimal(middle(({ answerMs }) => answerMs.p50)),
    ],
    ...[
      decimal(middle(({ answerMs }) => answerMs.p99)),
      decimal(Math.max(...turns.map(({ grownMib }) => grownMib))),
    ],
    percent(middle(({ loadCpu }) => loadCpu)),
  ];
}

function talkCells(
  what: string,
  all: number[],
  usual: number[],
  own: number[][],
  others: number[][],
): string[] {
  const ratio = (p: number) => decimal(percentile(all, p) / percentile(usual, p));
  const rounds = own.map((one, round) => percentile(one, 0.99) / percentile(others[round] ?? [], 0.99));
  return [
    ...[what, count(all.length), decimal(percentile(all, 0.5)), decimal(percentile(all, 0.99))],
    ...[ratio(0.5), ratio(0.99), rounds.map((one) => decimal(one)).join(' ')],
  ];
}

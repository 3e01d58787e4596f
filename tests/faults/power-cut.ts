/**
 * G1: the power fails. From a recorded run, the disk is rebuilt as it may have been at many moments. Each of these
 * images must hold every ack.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForWriting, pragma } from '../../server/data/storage/sqlite/database.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { DiskImage } from './disk-image.ts';
import { type DiskCall, readRecording, recorder } from './disk-recording.ts';
import type { Acked, Journal } from './journal.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

export interface PowerCutOptions extends Crowd {
  window: number;
  acks: number;
  /** The number of moments at which the power fails. */
  cuts: number;
  /** The main file of the server; by default the one of this build. */
  main?: string;
}

/** The columns of a message that an ack carries. */
interface Stored {
  id: number;
  roomId: number;
  seq: number;
  userId: number;
  cid: string;
}

/** Throws at the first image that is corrupt or lacks an acked message. */
export async function cutThePower(seed: number, options: PowerCutOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const home = await mkdtemp(join(tmpdir(), 'roomful-power-'));
  try {
    const log = join(home, 'recording');
    const journal = await record(home, log, random, options);
    const calls = await readRecording(log);
    const moments = chooseMoments(journal, options.cuts, random);
    let checked = 0;
    let notYetAcked = 0;
    const image = new DiskImage(join(home, 'data'));
    let next = 0;
    for (const moment of moments) {
      for (; (calls[next]?.endedAt ?? Number.POSITIVE_INFINITY) <= moment; next++)
        image.apply(calls[next] as DiskCall);
      const folder = join(home, 'image');
      await image.write(folder, random);
      const acked = journal.acked.filter(({ at }) => at <= moment);
      checked += acked.length;
      notYetAcked += expectAcks(join(folder, 'roomful.db'), acked);
      await rm(folder, { recursive: true });
    }
    return {
      counts: { acked: journal.acked.length, lost: 0 },
      figures: { cuts: moments.length, 'acks checked': checked, 'stored, not yet acked': notYetAcked },
    };
  } finally {
    await rm(home, { recursive: true });
  }
}

/** Runs a server under traffic, recorded from its start, and kills it. */
async function record(
  home: string,
  log: string,
  random: Random,
  { main, window, acks, ...crowd }: PowerCutOptions,
): Promise<Journal> {
  await using server = await ServerProcess.start({
    dataDir: home,
    under: recorder(join(home, 'data'), log),
    env: { MESSAGES_PER_SECOND: '0' },
    ...(main === undefined ? {} : { main }),
  });
  const seats = await takeSeats(server, crowd);
  const traffic = new Traffic({ target: server, random, seats, window });
  await traffic.acks(acks, 600_000);
  await server.kill();
  traffic.abandon();
  return traffic.journal;
}

/** Chooses moments, ascending: half of them at the arrival of an ack, half at random. */
function chooseMoments({ acked }: Journal, cuts: number, random: Random): number[] {
  const first = acked[0]?.at ?? 0;
  const last = acked.at(-1)?.at ?? 0;
  return Array.from({ length: cuts }, (_, index) =>
    index % 2 === 0
      ? (acked[random.integer(0, acked.length - 1)]?.at ?? last)
      : first + random.next() * (last - first),
  ).sort((a, b) => a - b);
}

/** Throws unless the database opens, is sound and has these messages; returns how many more it has. */
function expectAcks(file: string, acked: readonly Acked[]): number {
  if (!existsSync(file)) throw new Error('no database');
  const sqlite = openForWriting(file);
  try {
    const integrity = pragma(sqlite, 'integrity_check');
    if (integrity !== 'ok') throw new Error(`integrity check: ${integrity}`);
    const rows = sqlite
      .prepare<[], Stored>(
        'SELECT id, room_id AS roomId, seq, user_id AS userId, cid FROM messages ORDER BY room_id, seq',
      )
      .all();
    expectGapless(rows);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const lost = acked.filter(({ id, roomId, seq, userId, cid }) => {
      const row = byId.get(id);
      return row?.roomId !== roomId || row.seq !== seq || row.userId !== userId || row.cid !== cid;
    });
    if (lost.length > 0) throw new Error(`${lost.length} acks lost, e.g. ${JSON.stringify(lost[0])}`);
    return rows.length - acked.length;
  } finally {
    sqlite.close();
  }
}

function expectGapless(rows: readonly Stored[]): void {
  for (const [index, { roomId, seq }] of rows.entries()) {
    const before = rows[index - 1];
    if (seq !== (before?.roomId === roomId ? before.seq + 1 : 1))
      throw new Error(`room ${roomId}: a gap before ${seq}`);
  }
}

/**
 * Failovers of PostgreSQL under load: the primary is killed, and its standby promoted. A standby that every commit has
 * waited for has lost nothing. One that has not lacks what it had not received, and that must never be silent.
 */
import assert from 'node:assert/strict';
import { check } from '../faults/checker.ts';
import { Traffic, takeSeats } from '../faults/traffic.ts';
import type { Finding } from '../faults/trial.ts';
import { eventually } from '../support/eventually.ts';
import { seededRandom } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { logIn, readHistory } from '../support/users.ts';
import { backAgain, onDatabase } from './kill-postgres.ts';
import { PostgresPair } from './postgres-pair.ts';

export interface FailoverOptions {
  acksBefore: number;
  acksAfter: number;
}

/** Every commit waits for the standby: the process goes on, in the same epoch, and nothing is lost. */
export async function failOverSynchronously(seed: number, options: FailoverOptions): Promise<Finding> {
  await using pair = await PostgresPair.start({ isSynchronous: true });
  await using server = await startServer(pair);
  const { pid } = server;
  const epoch = await pair.epochOf(pair.primary);
  const { traffic } = await startTraffic(server, seed);
  await traffic.acks(options.acksBefore);
  await pair.failOver();
  const backMs = await backAgain(server, traffic);
  await traffic.acks(options.acksAfter);
  const report = await traffic.finish();
  assert.equal(server.pid, pid, 'it was started again');
  assert.equal(await pair.epochOf(pair.standby), epoch, 'another epoch');
  return { report, figures: { heard: report.heard, 'normal within, ms': Math.round(backMs) } };
}

/**
 * The control: the standby is behind. The process ends, and the next one has another epoch. The checker must find
 * losses, and a client that resumes must read everything anew.
 */
export async function failOverAsynchronously(seed: number, options: FailoverOptions): Promise<Finding> {
  await using pair = await PostgresPair.start({ isSynchronous: false });
  await using server = await startServer(pair);
  const { traffic, seats } = await startTraffic(server, seed);
  await traffic.acks(options.acksBefore);
  await pair.separate();
  await traffic.acks(options.acksAfter);
  const epoch = await pair.epochOf(pair.primary);
  await pair.failOver();
  await eventually('the process ends', () => (server.isRunning ? undefined : true), 60_000);
  assert.match(server.stderr, /may have lost messages/);
  traffic.abandon();

  await server.restart();
  assert.notEqual(await pair.epochOf(pair.standby), epoch, 'the same epoch');
  const [seat] = seats;
  assert(seat);
  const login = await logIn(server, seat.login.username);
  const since = Math.max(
    ...traffic.members.map((member) => (member.roomId === seat.roomId ? member.seq : 0)),
  );
  const line = await RoomLine.enter(server, login, seat.roomId, { cursor: { since, epoch } });
  assert.equal(line.of('reset').length, 1, 'the client goes on as if nothing was lost');
  await line.close();

  const histories = new Map();
  for (const { roomId } of seats) histories.set(roomId, await readHistory(server, login, roomId));
  const { acked, lost, duplicated, unexpected } = check(traffic.journal, histories);
  assert(lost.length > 0, 'the standby lacked nothing, so the control shows nothing');
  assert.deepEqual([duplicated, unexpected], [[], []]);
  return { figures: { acked, 'lost, as it must be': lost.length } };
}

async function startServer(pair: PostgresPair): Promise<ServerProcess> {
  return await ServerProcess.start({ env: { ...onDatabase(pair.url), MESSAGES_PER_SECOND: '0' } });
}

async function startTraffic(server: ServerProcess, seed: number) {
  const seats = await takeSeats(server, { people: 6, rooms: 3, roomsEach: 2 });
  const traffic = new Traffic({ target: server, random: seededRandom(seed), seats, window: 8 });
  await traffic.everybodyIn();
  return { traffic, seats };
}

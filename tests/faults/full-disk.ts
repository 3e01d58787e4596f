/**
 * G5 on a whole server: while the disk is full, sends are refused as retryable, and reads work. When there is space
 * again, the server recovers by itself.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { send, type Target } from '../support/http.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { issueTicket, logIn, signUp } from '../support/users.ts';
import type { Member, Seat } from './member.ts';
import { SmallDisk } from './storage-small-disk.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

export interface FullDiskOptions extends Crowd {
  mebibytes: number;
  rounds: number;
  window: number;
  acksBetween: number;
  /** The time within which the server must be ready after there is space again. */
  readyWithinMs: number;
}

export async function fillTheDisk(seed: number, options: FullDiskOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const disk = await SmallDisk.mount(options.mebibytes);
  try {
    await using server = await ServerProcess.start({
      dataDir: disk.path,
      env: { MESSAGES_PER_SECOND: '0' },
    });
    const { pid } = server;
    const seats = await takeSeats(server, options);
    const traffic = new Traffic({ target: server, random, seats, window: options.window });
    await traffic.everybodyIn();
    let longestMs = 0;
    for (let round = 0; round < options.rounds; round++) {
      await traffic.acks(options.acksBetween);
      const refusedBefore = traffic.journal.refused.size;
      await disk.fill(random.integer(0, 64 * 1024));
      await eventually('refusals', () => (traffic.journal.refused.size > refusedBefore ? true : undefined));
      await eventually('not ready', async () => ((await readiness(server)) === 503 ? true : undefined));
      await expectReads(server, seats, random);
      await disk.free();
      longestMs = Math.max(longestMs, await backAgain(server, traffic.members));
    }
    assert(longestMs <= options.readyWithinMs, `ready only ${longestMs} ms after there was space again`);
    assert.equal(server.pid, pid, 'it was started again');
    const report = await traffic.finish();
    const refused = traffic.journal.refused.size;
    const figures = { rounds: options.rounds, refused, 'ready within, ms': Math.round(longestMs) };
    return { report, figures: { heard: report.heard, ...figures } };
  } finally {
    await disk.unmount();
  }
}

/** Starts on a full disk, first without a database and then with one. With space again, the server has all its data. */
export async function startOnFullDisk(): Promise<void> {
  const disk = await SmallDisk.mount(4);
  try {
    await disk.fill(0);
    await expectNoStart(disk);
    await disk.free();

    await using server = await ServerProcess.start({ dataDir: disk.path });
    const ann = await signUp(server);
    await server.stop();
    await disk.fill(0);
    await expectNoStart(disk);
    await disk.free();
    await server.restart();
    await logIn(server, ann.username);
  } finally {
    await disk.unmount();
  }
}

async function expectNoStart(disk: SmallDisk): Promise<void> {
  const failed = await ServerProcess.start({ dataDir: disk.path }).catch((error: unknown) => error);
  assert(failed instanceof StartError, 'it started');
  assert.deepEqual(failed.exit, { code: 1, signal: null });
  const full = `The disk of the data folder ${join(disk.path, 'data')} is full.`;
  assert.equal(failed.stderr, `${full} Free some space and start again; nothing is lost.\n`);
}

export async function readiness(target: Target): Promise<number> {
  return (await send(target, '/ready')).status;
}

/** Checks that all reads work, that no session ends, and that writes are refused as they should be. */
export async function expectReads(target: Target, seats: readonly Seat[], random: Random): Promise<void> {
  const { login, roomId } = seats[random.integer(0, seats.length - 1)] as Seat;
  const token = login.accessToken;
  for (const path of ['/health', '/api/v1/rooms', `/api/v1/rooms/${roomId}/messages`])
    assert.equal((await send(target, path, { token })).status, 200, path);
  const protocols = offering(await issueTicket(target, login, roomId));
  const refused = await upgrade(target, '/ws', { protocols });
  refused.socket?.destroy();
  // Spending a ticket takes a few bytes, which may still fit.
  assert([101, 503].includes(refused.status), `an upgrade: ${refused.status}`);
}

/** Waits until the server is ready and has acked a message; returns how long it took, in milliseconds. */
export async function backAgain(target: Target, members: readonly Member[]): Promise<number> {
  const began = performance.now();
  const before = Math.max(...members.map(({ seq }) => seq));
  await eventually('ready', async () => ((await readiness(target)) === 200 ? true : undefined));
  await eventually('an event', () => (members.some(({ seq }) => seq > before) ? true : undefined));
  return performance.now() - began;
}

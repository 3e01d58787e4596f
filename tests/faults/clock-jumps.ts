/**
 * G12: the wall clock jumps by an hour, forward and back, under traffic. No socket is cut, and nothing is out of order.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, tryUpgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { FakeClock } from './fake-clock.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

const HOUR_S = 3600;
const TICKET_TTL_S = 2;

export interface ClockOptions extends Crowd {
  jumps: number;
  window: number;
  /** Acks to wait for between two jumps. */
  acksBetween: number;
  holdMs: number;
}

export async function jumpTheClock(seed: number, options: ClockOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using clock = await FakeClock.make();
  await using server = await ServerProcess.start({
    env: {
      ...clock.env,
      MESSAGES_PER_SECOND: '0',
      WS_TICKET_TTL_S: String(TICKET_TTL_S),
      // Tokens expire by the wall clock. This run does not test that, so they are long-lived.
      ACCESS_TOKEN_TTL_S: '86400',
    },
  });
  const seats = await takeSeats(server, options);
  const traffic = new Traffic({ target: server, random, seats, window: options.window });
  await traffic.everybodyIn();
  const idle = await sitStill(server);
  const tickets = await killTickets(server);
  const offsets = jumps(options.jumps, random);
  for (const offset of offsets) {
    await clock.jumpTo(offset);
    await expectNoRevival(server, tickets);
    await traffic.acks(options.acksBetween);
    await sleep(options.holdMs);
    for (const { disconnects } of traffic.members) assert.equal(disconnects, 0, `cut after ${offset} s`);
    for (const socket of idle) assert(socket.isOpen, `an idle socket was cut after ${offset} s`);
  }
  await expectLimits(server, clock);
  const report = await traffic.finish();
  await Promise.all(idle.map((socket) => socket.close()));
  return { report, figures: { heard: report.heard, jumps: offsets.length } };
}

/** First an hour forward and an hour back, then jumps that the seed gives. */
function jumps(count: number, random: Random): number[] {
  return Array.from(
    { length: count },
    (_, index) => [HOUR_S, -HOUR_S][index] ?? random.integer(-HOUR_S, HOUR_S),
  );
}

/** Opens one idle socket of each protocol. */
async function sitStill(server: ServerProcess): Promise<(ChatClient | RoomLine)[]> {
  const login = await signUp(server);
  const roomId = (await createRoom(server, login)).id;
  return [await ChatClient.enter(server, login, roomId), await RoomLine.enter(server, login, roomId)];
}

/** Returns two tickets that must never open a socket again: one is spent, one has expired. */
async function killTickets(server: ServerProcess): Promise<string[]> {
  const login = await signUp(server);
  const roomId = (await createRoom(server, login)).id;
  const spent = await issueTicket(server, login, roomId);
  const expired = await issueTicket(server, login, roomId);
  await (await ChatClient.open(server, roomId, spent)).close();
  await sleep((TICKET_TTL_S + 1) * 1000);
  await expectNoRevival(server, [spent, expired]);
  return [spent, expired];
}

async function expectNoRevival(server: ServerProcess, tickets: readonly string[]): Promise<void> {
  for (const ticket of tickets) {
    const { status } = await tryUpgrade(server, '/ws', { protocols: offering(ticket) });
    assert.equal(status, 401, 'a dead ticket opened a socket');
  }
}

/** Limits use the monotonic clock, so a budget refills whatever the wall clock does. */
async function expectLimits(server: ServerProcess, clock: FakeClock): Promise<void> {
  const login: Login = await signUp(server);
  const client = await RoomLine.enter(server, login, (await createRoom(server, login)).id);
  for (let count = 0; count < 70; count++) client.send({ type: 'ping', t: count });
  await client.waitFor('error', (error) => error.code === 'too_fast');
  await clock.jumpTo(-HOUR_S);
  await client.settle();
  await client.close();
}

/**
 * G10: planned restarts under load. Nothing acked is lost, no client is cut twice, and no join or leave is announced.
 */
import assert from 'node:assert/strict';
import { seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

const STOP_WITHIN_MS = 10_000;

export interface RestartOptions extends Crowd {
  restarts: number;
  window: number;
  acksPerLife: number;
}

export async function restartUnderLoad(seed: number, options: RestartOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const { restarts, window, acksPerLife } = options;
  await using server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const seats = await takeSeats(server, options);
  const traffic = new Traffic({ target: server, random, seats, window });
  const { members } = traffic;
  await traffic.everybodyIn();
  const bystander = await signUp(server);
  const bystanders = (await createRoom(server, bystander)).id;
  await traffic.acks(acksPerLife);
  const told = () => members.reduce((sum, { joins, leaves }) => sum + joins + leaves, 0);
  const toldBefore = told();
  let longestStopMs = 0;
  for (let restart = 1; restart <= restarts; restart++) {
    const base = await ChatClient.enter(server, bystander, bystanders);
    const began = performance.now();
    assert.deepEqual(await server.stop(random.next() < 0.5 ? 'SIGTERM' : 'SIGINT'), {
      code: 0,
      signal: null,
    });
    longestStopMs = Math.max(longestStopMs, performance.now() - began);
    assert.equal((await base.closed).code, 1001);
    await server.restart();
    await traffic.everybodyIn();
    await traffic.acks(acksPerLife);
    for (const { disconnects } of members) assert(disconnects <= restart, 'cut more than once in a restart');
  }
  assert.equal(told() - toldBefore, 0, 'joins and leaves were announced');
  assert(longestStopMs < STOP_WITHIN_MS, `a stop took ${longestStopMs} ms`);
  for (const { closeCodes } of members) assert.deepEqual([...closeCodes], [4000]);
  const report = await traffic.finish();
  return {
    report,
    figures: { heard: report.heard, restarts, 'longest stop, ms': Math.round(longestStopMs) },
  };
}

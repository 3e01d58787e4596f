/**
 * G6 through several processes: acts of which one can win, all at the same moment through all of them. One wins, and the
 * others are refused as the interface says.
 */
import assert from 'node:assert/strict';
import { Balancer } from '../support/balancer.ts';
import { Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send, type Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp, signUpCrowd, uniqueName } from '../support/users.ts';
import { Races } from './race-acts.ts';
import type { Finding } from './trial.ts';

export interface ClusterRaceOptions {
  rounds: number;
  processes: number;
  /** Attempts at the same moment. */
  racers: number;
  /** The main file of the processes; by default the one of this build. */
  main?: string;
}

export async function raceThroughProcesses(options: ClusterRaceOptions): Promise<Finding> {
  const { racers, rounds, ...build } = options;
  await using cluster = await Cluster.start({ ...build, env: { SOCKETS_PER_USER: '1000' } });
  await using target = await Balancer.start(() => cluster.processes.map(({ port }) => ({ port })));
  const crowd = await signUpCrowd(target, racers);
  const owner = await signUp(target);
  // First, because all new users join the first room, and the members of the others are counted.
  const shared = await roomOf(target, crowd);
  const rooms = {
    shared,
    open: (await createRoom(target, owner)).id,
    closed: (await createRoom(target, owner, uniqueName('closed'), 'private')).id,
  };
  // One line of the owner to each process.
  const lines = await Promise.all(cluster.processes.map((server) => LineClient.start(server, owner)));
  const races = new Races({ target, crowd, owner, rooms, lines });
  await races.firstAdmin(await setupCodeOf(cluster.processes));
  for (let round = 1; round <= rounds; round++) await races.round();
  await Promise.all(lines.map((line) => line.close()));
  const { attempts, kinds } = races;
  return { figures: { rounds, kinds, attempts, 'winners of each': 1 } };
}

/** A room that all of them own. */
async function roomOf(target: Target, [first, ...others]: readonly Login[]): Promise<number> {
  assert(first);
  const { id } = await createRoom(target, first);
  for (const { userId } of others) {
    const options = { method: 'PUT', token: first.accessToken, json: { role: 'owner' } };
    const { status, text } = await send(target, `/api/v1/rooms/${id}/members/${userId}`, options);
    assert.equal(status, 200, text);
  }
  return id;
}

/** Of the link that each process logs while there is no admin. */
async function setupCodeOf(processes: readonly ServerProcess[]): Promise<string> {
  return await eventually('a link for the first admin', () =>
    processes
      .flatMap(({ logs }) => logs)
      .map(({ link }) => /\/setup\/([\w-]{22})$/.exec(String(link))?.[1])
      .find((code) => code !== undefined),
  );
}

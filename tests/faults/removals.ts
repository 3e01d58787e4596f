/**
 * G14: nothing of a room is sent to somebody who was removed from it. Members of private rooms are removed in the midst
 * of traffic and added again. Each has three sockets: a line with the room open, a line without, and one of v1.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import type { Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import {
  addMember,
  createRoom,
  type Login,
  readHistory,
  removeMember,
  signUpCrowd,
  uniqueName,
} from '../support/users.ts';
import { LineStay, RoomSocketStay, type Stay } from './stay.ts';
import type { Finding } from './trial.ts';

/** A message is posted this long after the ack of the one before. */
const POST_EVERY_MS = 2;

export interface RemovalOptions {
  rooms: number;
  /** Members of each room that are removed and added again, besides those who talk. */
  people: number;
  talkers: number;
  removals: number;
  /** The main file of a patched server. */
  main?: string;
  /** How long to wait for a removal to reach a socket. */
  patienceMs?: number;
}

interface House {
  roomId: number;
  owner: Login;
  members: { login: Login; stays: Stay[] }[];
}

export async function removeAmidTraffic(seed: number, options: RemovalOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const env = { MESSAGES_PER_SECOND: '0', ROOMS_PER_DAY: '0' };
  const { main } = options;
  await using server = await ServerProcess.start(main === undefined ? { env } : { env, main });
  const violations: string[] = [];
  const houses = await furnish(server, options, violations);
  const over = new AbortController();
  const talks = houses.flatMap((house) =>
    Array.from({ length: options.talkers }, () => talk(server, house, over.signal)),
  );
  let left = options.removals;
  const remove = async (house: House): Promise<void> => {
    while (left-- > 0 && violations.length === 0)
      await removeOne(server, house, { random, violations, options });
  };
  try {
    await Promise.all(houses.map(remove));
  } finally {
    over.abort();
  }
  const posted = (await Promise.all(talks)).reduce((sum, count) => sum + count, 0);
  const stays = houses.flatMap(({ members }) => members.flatMap((member) => member.stays));
  const received = stays.reduce((sum, stay) => sum + stay.received, 0);
  await Promise.all(stays.map((stay) => stay.end()));
  for (const { roomId, owner, members } of houses) {
    const log = await readHistory(server, owner, roomId, 'flow');
    for (const stay of members.flatMap((member) => member.stays)) stay.check(log);
  }
  return {
    report: { ...NOTHING, violations },
    figures: { removals: options.removals, sockets: stays.length, posted, 'frames received': received },
  };
}

const NOTHING = {
  ...{ acked: 0, stored: 0, recovered: 0, heard: 0 },
  ...{ lost: [], duplicated: [], unexpected: [], outOfOrder: [] },
};

async function furnish(
  server: Target,
  { rooms, people }: RemovalOptions,
  violations: string[],
): Promise<House[]> {
  const [owner, ...logins] = await signUpCrowd(server, 1 + people);
  if (!owner) throw new Error('nobody is there');
  const houses: House[] = [];
  while (houses.length < rooms) {
    const { id: roomId } = await createRoom(server, owner, uniqueName('room'), 'private');
    for (const { userId } of logins) await addMember(server, owner, roomId, userId);
    const members = logins.map((login) => {
      const of = { target: server, login, roomId, wrong: (text: string) => void violations.push(text) };
      const stays = [new LineStay(of, true), new LineStay(of, false), new RoomSocketStay(of)];
      return { login, stays };
    });
    houses.push({ roomId, owner, members });
    await Promise.all(members.flatMap(({ stays }) => stays.map((stay) => stay.begin())));
  }
  return houses;
}

/** Posts until `signal` aborts; returns how many messages. */
async function talk(target: Target, { roomId, owner }: House, signal: AbortSignal): Promise<number> {
  const line = await LineClient.start(target, owner);
  await line.enter(roomId);
  for (let count = 0; ; count++) {
    if (signal.aborted) {
      await line.close();
      return count;
    }
    line.send({ type: 'typing', room_id: roomId, is_typing: true });
    await line.post(roomId, `said ${count}`);
    await sleep(POST_EVERY_MS);
  }
}

interface Removing {
  random: Random;
  violations: string[];
  options: RemovalOptions;
}

async function removeOne(
  target: Target,
  { roomId, owner, members }: House,
  { random, violations, options }: Removing,
): Promise<void> {
  const { login, stays } = members[random.integer(0, members.length - 1)] as House['members'][number];
  await sleep(random.integer(0, 10));
  await removeMember(target, owner, roomId, login.userId);
  const { patienceMs } = options;
  const isOut = () => (stays.every((stay) => stay.isOut) ? true : undefined);
  await eventually('every socket of the removed member is out', isOut, patienceMs).catch((error) =>
    violations.push(`${login.username} in ${roomId}: ${error}`),
  );
  // Whatever is still to come has time to come.
  await sleep(random.integer(0, 40));
  await addMember(target, owner, roomId, login.userId);
  await Promise.all(stays.map((stay) => stay.comeBack()));
}

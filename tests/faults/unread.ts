/**
 * G15: unread counts are exact, on every device. Others write into a user's rooms, while the user's three devices read,
 * mark as unread, open and leave rooms, start over, and lose their server. When all is quiet, each device and a fresh
 * start must show what a naive count of the history gives.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ChatClient } from '../../client/chat-client.ts';
import { type RoomsSnapshot, type RoomsState, roomsSnapshotOf } from '../../client/rooms/rooms-state.ts';
import { UNREAD_MAX } from '../../protocol/limits.ts';
import { eventually } from '../support/eventually.ts';
import type { Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, readHistory, signUpCrowd, uniqueName } from '../support/users.ts';
import type { Finding } from './trial.ts';

const DEVICES = 3;
const TALKERS = 3;
/** Two of three pages of counts are below what the server counts exactly, and one is above. */
const MOST_TEXTS = 150;

export interface UnreadOptions {
  rooms: number;
  rounds: number;
  /** Acts of each device in a round. */
  acts: number;
  /** Kill the server in one of this number of rounds. */
  killOneIn: number;
}

export async function countOnThreeDevices(seed: number, options: UnreadOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using server = await ServerProcess.start({
    // The logins of the trial are used until its end, which may take longer than a token is valid.
    env: { MESSAGES_PER_SECOND: '0', ROOMS_PER_DAY: '0', ACCESS_TOKEN_TTL_S: '86400' },
  });
  const [reader, ...talkers] = await signUpCrowd(server, 1 + TALKERS);
  if (!reader) throw new Error('nobody is there');
  const roomIds = await furnish(server, { reader, talkers, count: options.rooms });
  const devices = Array.from({ length: DEVICES }, () => new Device(server, reader, roomIds));
  let compared = 0;
  let kills = 0;
  try {
    for (const device of devices) await device.begin();
    for (let round = 0; round < options.rounds; round++) {
      const isKilled = random.integer(1, options.killOneIn) === 1;
      const talking = Promise.all(talkers.map((talker) => talk(server, talker, roomIds, random)));
      const acting = devices.map((device) => act(device, random, options.acts));
      await Promise.all([talking, ...acting]);
      if (isKilled) {
        kills++;
        await server.kill();
        await server.restart();
      }
      compared += await compare({ server, reader, roomIds, devices });
    }
  } finally {
    for (const device of devices) device.end();
  }
  return { figures: { rounds: options.rounds, kills, 'counts compared': compared } };
}

interface Crew {
  reader: Login;
  talkers: readonly Login[];
  count: number;
}

/** Private rooms, in which all are members. */
async function furnish(target: Target, { reader, talkers, count }: Crew): Promise<number[]> {
  const roomIds: number[] = [];
  while (roomIds.length < count) {
    const { id } = await createRoom(target, reader, uniqueName('room'), 'private');
    for (const { userId } of talkers) await addMember(target, reader, id, userId);
    roomIds.push(id);
  }
  return roomIds;
}

/** Posts some messages, mostly into one room. */
async function talk(
  target: Target,
  talker: Login,
  roomIds: readonly number[],
  random: Random,
): Promise<void> {
  const line = await LineClient.start(target, talker);
  const favourite = one(random, roomIds);
  for (let left = random.integer(0, random.next() < 0.1 ? MOST_TEXTS : 12); left > 0; left--) {
    await line.post(random.next() < 0.7 ? favourite : one(random, roomIds), `text ${left}`);
  }
  await line.close();
}

async function act(device: Device, random: Random, acts: number): Promise<void> {
  for (let count = 0; count < acts; count++) {
    await sleep(random.integer(0, 30));
    const roomId = one(random, device.roomIds);
    const choice = random.next();
    if (choice < 0.3) device.readAll(roomId);
    else if (choice < 0.5) device.readSome(roomId, random);
    else if (choice < 0.65) device.markUnread(roomId, random);
    else if (choice < 0.8) device.open(roomId);
    else if (choice < 0.95) device.leave(roomId);
    else await device.startOver();
  }
}

interface Comparison {
  server: ServerProcess;
  reader: Login;
  roomIds: readonly number[];
  devices: readonly Device[];
}

/** Waits until all is quiet, and compares all counts; returns how many. */
async function compare({ server, reader, roomIds, devices }: Comparison): Promise<number> {
  const histories = new Map<number, Awaited<ReturnType<typeof readHistory>>>();
  for (const roomId of roomIds) histories.set(roomId, await readHistory(server, reader, roomId));
  const naive = (roomId: number, readSeq: number) => {
    const texts = histories.get(roomId) ?? [];
    const unread = texts.filter(({ seq, user_id }) => seq > readSeq && user_id !== reader.userId);
    return Math.min(unread.length, UNREAD_MAX);
  };
  const unsettled = () => devices.map((device) => device.unsettled);
  await eventually(
    'marks confirmed everywhere',
    () => unsettled().every((left) => left.length === 0) || undefined,
  ).catch((error) => {
    throw new Error(`not confirmed or not counted: ${JSON.stringify(unsettled())}`, { cause: error });
  });
  const fresh = await LineClient.start(server, reader);
  const listed = new Map(
    fresh.of('rooms').flatMap(({ rooms }) => rooms.map((entry) => [entry.room.id, entry])),
  );
  await fresh.close();
  for (const roomId of roomIds) {
    const entry = listed.get(roomId);
    const readSeq = entry?.me.read_seq ?? -1;
    const right = naive(roomId, readSeq);
    if (entry?.unread !== right)
      throw new Error(
        `room ${roomId}, read up to ${readSeq}: ${right} unread, a fresh start says ${entry?.unread}`,
      );
    for (const [index, device] of devices.entries()) {
      const shown = () => {
        const { unread, readSeq: mark } = device.list.rooms.get(roomId) ?? {};
        return unread === right && mark === readSeq ? true : undefined;
      };
      await eventually(`device ${index}, room ${roomId}: ${right} unread after ${readSeq}`, shown).catch(
        (error) => {
          throw new Error(`it shows ${JSON.stringify(device.list.rooms.get(roomId))}`, { cause: error });
        },
      );
    }
  }
  return roomIds.length * (devices.length + 1);
}

function one<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(0, choices.length - 1)] as T;
}

/** A device with the SDK, which shows the list of rooms. */
class Device {
  readonly roomIds: readonly number[];
  readonly #target: Target;
  readonly #login: Login;
  #chat: ChatClient;
  #saved: RoomsSnapshot | null = null;

  constructor(target: Target, login: Login, roomIds: readonly number[]) {
    this.#target = target;
    this.#login = login;
    this.roomIds = roomIds;
    this.#chat = this.#newChat();
  }

  get list(): RoomsState {
    return this.#chat.rooms.state;
  }

  /** What is still under way: marks that the server has not confirmed, and rooms that it has not counted. */
  get unsettled(): readonly unknown[] {
    const { phase, marks, rooms } = this.list;
    const uncounted = [...rooms.values()].filter(
      ({ count, unread }) => count === 'estimate' || unread === null,
    );
    return [...(phase === 'live' ? [] : [phase]), ...marks.values(), ...uncounted];
  }

  async begin(): Promise<void> {
    await this.#chat.signIn(this.#login.username, this.#login.password);
    this.#chat.rooms.subscribe(() => {});
    this.#chat.rooms.look(this.roomIds);
    await eventually('its list', () => this.list.phase === 'live' || undefined);
  }

  readAll(roomId: number): void {
    this.#chat.markRead(roomId, this.list.rooms.get(roomId)?.seq ?? 0);
  }

  readSome(roomId: number, random: Random): void {
    this.#chat.markRead(roomId, random.integer(0, this.list.rooms.get(roomId)?.seq ?? 0));
  }

  markUnread(roomId: number, random: Random): void {
    this.#chat.markUnread(roomId, random.integer(0, this.list.rooms.get(roomId)?.seq ?? 0));
  }

  open(roomId: number): void {
    this.#chat.enter(roomId);
  }

  leave(roomId: number): void {
    this.#chat.enter(roomId).leave();
  }

  /** The device is closed, and opened again with what it has saved. */
  async startOver(): Promise<void> {
    this.#saved = roomsSnapshotOf(this.list);
    this.#chat.rooms.flush();
    this.#chat.close();
    this.#chat = this.#newChat();
    await this.begin();
  }

  end(): void {
    this.#chat.close();
  }

  #newChat(): ChatClient {
    return new ChatClient({
      url: `http://127.0.0.1:${this.#target.port}`,
      WebSocket,
      restoreRooms: async () => this.#saved,
    });
  }
}

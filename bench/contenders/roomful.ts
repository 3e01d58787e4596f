/** Roomful with its default settings and its embedded database. Only its limits are off. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_PREFIX, type Subprotocol } from '../../protocol/constants.ts';
import { loginResponse } from '../../protocol/rest/accounts.ts';
import { roomSchema } from '../../protocol/rooms.ts';
import type { Door } from '../load/plan.ts';
import type { Contender, RunningContender, ServerOptions } from './contender.ts';
import { ServerProcess } from './server-process.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));
/** There are few users, because hashing passwords is slow on purpose. Each has many sockets. */
const USERS = 10;
const SIGN_UPS_AT_ONCE = 10;
const PASSWORD = 'correct horse battery';
const TICKET_PATH = `${API_PREFIX}/ws/tickets`;

export const ROOMFUL_SETTINGS = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  ACCESS_TOKEN_TTL_S: '86400',
  RATE_LIMIT_PER_SECOND: '0',
  ROOMS_PER_DAY: '0',
  MESSAGES_PER_SECOND: '0',
  OVERLOAD_DELAY_MS: '0',
  OVERLOAD_MEMORY_MB: '0',
  SOCKETS_PER_USER: '1000000',
  SOCKETS_PER_ADDRESS: '1000000',
};

/** How the sockets of a Roomful server are used, and which build it is. */
interface RoomfulOptions {
  /** `chatroom.v2`: each socket is a line with one room open. */
  protocol?: Subprotocol;
  /** Rooms that every user is a member of, and that nobody opens. */
  brief?: number;
  /** All users are members of this many rooms, and of no others. Another user owns all rooms. */
  listed?: number;
  /** The checkout of an older build, which must speak the same protocol; by default it is this build. */
  root?: string;
  settings?: Record<string, string>;
}

export const roomful = createRoomful('Roomful');
export const roomfulV1 = createRoomful('Roomful, chatroom.v1', { protocol: 'chatroom.v1' });

export function createRoomful(
  name: string,
  { protocol = 'chatroom.v2', brief = 0, listed, root, settings = ROOMFUL_SETTINGS }: RoomfulOptions = {},
): Contender {
  const main = mainOf(root);
  const contender: Contender = {
    name,
    durable: true,
    leavesOut: '-',
    async start(options) {
      const dataDir = await makeDataDir();
      const server = await startRoomful(dataDir, options, settings, main);
      const { port } = server;
      const tokens = await signUpUsers(port, options.users ?? USERS);
      for (let index = 0; index < brief; index++) await makeRoom(port, tokens, true);
      const [host] = listed === undefined ? [] : await signUpUsers(port, 1, 'host');
      const doorTo = protocol === 'chatroom.v1' ? roomDoorTo : lineDoorTo;
      return {
        contender,
        process: server,
        async makeRooms(count) {
          const rooms: Door[][] = [];
          for (let index = 0; index < count; index++) {
            // Each has another owner: the sender of a room, if it has one, is its member without a join.
            const first = index % tokens.length;
            const users = [...tokens.slice(first), ...tokens.slice(0, first)];
            const isJoined = options.isMember === true || index < (listed ?? 0);
            const roomId = await makeRoom(port, host === undefined ? users : [host, ...users], isJoined);
            rooms.push(tokens.map((token) => doorTo(port, roomId, token)));
          }
          return rooms;
        },
        async stop() {
          await server.stop();
          await rm(dataDir, { recursive: true, force: true });
        },
      } satisfies RunningContender;
    },
  };
  return contender;
}

/** The program of a checkout; undefined: of this build. */
export function mainOf(root: string | undefined): string {
  return root === undefined ? MAIN : resolve(root, 'dist/server/main.js');
}

export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'roomful-bench-'));
}

/** As `npm start` sets it, unless the caller wants to compare. */
const ARENAS = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' };

/** Starts the server process alone, on the caller's data folder. */
export function startRoomful(
  dataDir: string,
  options: ServerOptions,
  settings: Record<string, string> = ROOMFUL_SETTINGS,
  main = MAIN,
): Promise<ServerProcess> {
  // The working directory is not the repository, so that its `.env` is not read.
  return ServerProcess.start(main, options, { ...ARENAS, ...settings, DATA_DIR: dataDir }, dataDir);
}

/** Registers users named bench-0, bench-1 … and returns their access tokens. */
export async function signUpUsers(port: number, count: number, name = 'bench'): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const next = Math.min(SIGN_UPS_AT_ONCE, count - tokens.length);
    const names = Array.from({ length: next }, (_, index) => `${name}-${tokens.length + index}`);
    tokens.push(...(await Promise.all(names.map((one) => signUp(port, one)))));
  }
  return tokens;
}

async function signUp(port: number, username: string): Promise<string> {
  const credentials = { username, password: PASSWORD };
  await post(port, '/auth/register', credentials);
  return loginResponse.parse(await post(port, '/auth/login', credentials)).access_token;
}

export async function createRoom(port: number, token: string, name: string): Promise<number> {
  // An older server sends fewer fields.
  return roomSchema.pick({ id: true }).parse(await post(port, '/rooms', { name }, token)).id;
}

/** Creates a room of the first user; the others become members, too. */
export async function makeRoom(port: number, tokens: string[], isJoined: boolean): Promise<number> {
  const [owner = '', ...others] = tokens;
  const roomId = await createRoom(port, owner, `room ${process.hrtime.bigint()}`);
  if (isJoined) for (const token of others) await joinRoom(port, roomId, token);
  return roomId;
}

async function joinRoom(port: number, roomId: number, token: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}${API_PREFIX}/rooms/${roomId}/members/me`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
  });
  if (status !== 200) throw new Error(`not joined: ${status}`);
}

function roomDoorTo(port: number, roomId: number, accessToken: string): Door {
  return {
    port,
    path: `/ws?room_id=${roomId}`,
    subprotocol: 'chatroom.v1',
    ticket: { path: TICKET_PATH, body: JSON.stringify({ room_id: roomId }), accessToken },
    hello: [],
    readyMarker: '"type":"join"',
    frame: ['{"type":"message","content":"', '"}'],
    ack: null,
    comeBack: null,
  };
}

/** A line with this room open. */
export function lineDoorTo(port: number, roomId: number, accessToken: string): Door {
  return {
    port,
    path: '/ws',
    subprotocol: 'chatroom.v2',
    ticket: { path: TICKET_PATH, body: '{"scope":"user"}', accessToken },
    hello: ['{"type":"start"}', `{"type":"open","room_id":${roomId}}`],
    readyMarker: '"type":"opened"',
    frame: [`{"type":"message","room_id":${roomId},"content":"`, '"}'],
    ack: { suffix: ['","cid":"', '"}'], marker: '"type":"ack"' },
    comeBack: {
      remember: {
        epoch: '"epoch":"([^"]+)"',
        userSeq: '"user_seq":(\\d+)',
        // Of the last message, or of the room as it was opened.
        seq: '(?:"type":"message"[^}]*?|"type":"opened","room_id":\\d+,)"seq":(\\d+)',
      },
      path: '/ws',
      // It names no rooms, so it gets each room of its list: all of them have changed.
      hello: [
        '{"type":"start","epoch":"{epoch}","user_seq":{userSeq},"rooms":{}}',
        `{"type":"open","room_id":${roomId},"since":{seq}}`,
      ],
      liveMarker: '"type":"sync"',
      ticket: '"return_ticket":\\{"ticket":"([^"]+)"',
    },
  };
}

async function post(port: number, path: string, body: object, token?: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${API_PREFIX}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

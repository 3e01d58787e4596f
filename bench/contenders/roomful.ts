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
const PASSWORD = 'correct horse battery';

export const ROOMFUL_SETTINGS = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  ACCESS_TOKEN_TTL_S: '86400',
  RATE_LIMIT_PER_SECOND: '0',
  ROOMS_PER_DAY: '0',
  MESSAGES_PER_SECOND: '0',
  SOCKETS_PER_USER: '1000000',
  SOCKETS_PER_ADDRESS: '1000000',
};

export const roomful = createRoomful('Roomful', 'chatroom.v2');
export const roomfulV1 = createRoomful('Roomful, chatroom.v1', 'chatroom.v1');

/** Roomful, built in the checkout at `root`; without one, this build. */
export function createRoomful(name: string, subprotocol: Subprotocol, root?: string): Contender {
  const main = root === undefined ? MAIN : resolve(root, 'dist/server/main.js');
  const contender: Contender = {
    name,
    durable: true,
    async start(options) {
      const dataDir = await makeDataDir();
      const server = await startRoomful(dataDir, options, ROOMFUL_SETTINGS, main);
      const tokens = await signUpUsers(server.port, USERS);
      return {
        contender,
        process: server,
        makeRooms: (rooms) => makeRooms(server.port, tokens, rooms, subprotocol),
        async stop() {
          await server.stop();
          await rm(dataDir, { recursive: true, force: true });
        },
      } satisfies RunningContender;
    },
  };
  return contender;
}

export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'roomful-bench-'));
}

/** Starts the server process alone, on the caller's data folder. */
export function startRoomful(
  dataDir: string,
  options: ServerOptions,
  settings: Record<string, string> = ROOMFUL_SETTINGS,
  main = MAIN,
): Promise<ServerProcess> {
  // The working directory is not the repository, so that its `.env` is not read.
  return ServerProcess.start(main, options, { ...settings, DATA_DIR: dataDir }, dataDir);
}

/** Registers users named bench-0, bench-1 … and returns their access tokens. */
export async function signUpUsers(port: number, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
  return await Promise.all(
    names.map(async (username) => {
      const credentials = { username, password: PASSWORD };
      await post(port, '/auth/register', credentials);
      return loginResponse.parse(await post(port, '/auth/login', credentials)).access_token;
    }),
  );
}

export async function createRoom(port: number, token: string, name: string): Promise<number> {
  // An older server sends fewer fields.
  return roomSchema.pick({ id: true }).parse(await post(port, '/rooms', { name }, token)).id;
}

async function makeRooms(
  port: number,
  tokens: string[],
  count: number,
  subprotocol: Subprotocol,
): Promise<Door[][]> {
  const rooms: Door[][] = [];
  for (let index = 0; index < count; index++) {
    const id = await createRoom(
      port,
      tokens[0] ?? '',
      `room ${index} of ${count} ${process.hrtime.bigint()}`,
    );
    rooms.push(tokens.map((token) => doorTo(port, id, token, subprotocol)));
  }
  return rooms;
}

function doorTo(port: number, roomId: number, accessToken: string, subprotocol: Subprotocol): Door {
  const path = `/ws?room_id=${roomId}`;
  const ticketPath = `${API_PREFIX}/ws/tickets`;
  const isV2 = subprotocol === 'chatroom.v2';
  return {
    port,
    path,
    subprotocol,
    ticket: { path: ticketPath, body: JSON.stringify({ room_id: roomId }), accessToken },
    hello: [],
    readyMarker: isV2 ? '"type":"hello"' : '"type":"join"',
    frame: ['{"type":"message","content":"', '"}'],
    ack: isV2 ? { suffix: ['","cid":"', '"}'], marker: '"type":"ack"' } : null,
    comeBack: isV2
      ? {
          remember: { seq: '"seq":(\\d+)', epoch: '"epoch":"([^"]+)"' },
          path: `${path}&since={seq}&epoch={epoch}`,
          hello: [],
          liveMarker: '"type":"sync"',
        }
      : null,
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

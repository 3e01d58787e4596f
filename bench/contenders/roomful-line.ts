/** Roomful over lines: each socket has one room open, and the others on its user's list in brief. */
import { rm } from 'node:fs/promises';
import { API_PREFIX } from '../../protocol/constants.ts';
import type { Door } from '../load/plan.ts';
import type { Contender, RunningContender } from './contender.ts';
import { createRoom, makeDataDir, ROOMFUL_SETTINGS, signUpUsers, startRoomful } from './roomful.ts';

const USERS = 10;

export interface LineOptions {
  /** Rooms that every user is a member of, and that nobody opens. */
  brief: number;
  /** The users are members of the rooms that they open, so that posting there changes nothing else. */
  isMember: boolean;
}

export function createRoomfulLine(name: string, { brief, isMember }: LineOptions): Contender {
  const contender: Contender = {
    name,
    durable: true,
    async start(options) {
      const dataDir = await makeDataDir();
      const server = await startRoomful(dataDir, options, ROOMFUL_SETTINGS);
      const { port } = server;
      const tokens = await signUpUsers(port, USERS);
      for (let index = 0; index < brief; index++) await makeRoom(port, tokens, `brief ${index}`, true);
      return {
        contender,
        process: server,
        async makeRooms(count) {
          const doors: Door[][] = [];
          for (let index = 0; index < count; index++) {
            const roomId = await makeRoom(port, tokens, `room ${index} ${process.hrtime.bigint()}`, isMember);
            doors.push(tokens.map((token) => lineTo(port, roomId, token)));
          }
          return doors;
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

async function makeRoom(port: number, tokens: string[], name: string, isJoined: boolean): Promise<number> {
  const [owner = '', ...others] = tokens;
  const roomId = await createRoom(port, owner, name);
  if (isJoined) await Promise.all(others.map((token) => join(port, roomId, token)));
  return roomId;
}

async function join(port: number, roomId: number, token: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}${API_PREFIX}/rooms/${roomId}/members/me`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
  });
  if (status !== 200) throw new Error(`not joined: ${status}`);
}

function lineTo(port: number, roomId: number, accessToken: string): Door {
  return {
    port,
    path: '/ws',
    subprotocol: 'chatroom.v2',
    ticket: { path: `${API_PREFIX}/ws/tickets`, body: '{"scope":"user"}', accessToken },
    hello: ['{"type":"start"}', `{"type":"open","room_id":${roomId}}`],
    readyMarker: '"type":"opened"',
    frame: [`{"type":"message","room_id":${roomId},"content":"`, '"}'],
    ack: { suffix: ['","cid":"', '"}'], marker: '"type":"ack"' },
    comeBack: null,
  };
}

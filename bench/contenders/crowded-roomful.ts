/** Roomful with a room of many members, each a user of their own. They are stored directly: sign-ups hash passwords. */
import { rm } from 'node:fs/promises';
import { newRoom, newUser } from '../../server/data/storage/contract/subject.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { deriveKeys } from '../../server/features/identity/secret.ts';
import { ACCESS_TOKEN } from '../../server/features/identity/sessions.ts';
import { SignedTokens } from '../../server/features/identity/tokens.ts';
import type { Door } from '../load/plan.ts';
import type { ServerOptions } from './contender.ts';
import { lineDoorTo, makeDataDir, ROOMFUL_SETTINGS, startRoomful } from './roomful.ts';
import type { ServerProcess } from './server-process.ts';

const SECRET = 'a secret of the bench, which protects nothing at all';
const TOKEN_S = 86_400;
const JOINING_AT_ONCE = 200;

export interface Member {
  username: string;
  token: string;
}

export interface CrowdedRoomful {
  process: ServerProcess;
  roomId: number;
  /** The owner first, by user id. */
  members: Member[];
  doors: Door[];
  stop(): Promise<void>;
}

export async function startCrowdedRoomful(options: ServerOptions, size: number): Promise<CrowdedRoomful> {
  const dataDir = await makeDataDir();
  const { roomId, members } = await fill(dataDir, size);
  const server = await startRoomful(dataDir, options, { ...ROOMFUL_SETTINGS, JWT_SECRET: SECRET });
  return {
    process: server,
    ...{ roomId, members },
    doors: members.map(({ token }) => lineDoorTo(server.port, roomId, token)),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function fill(dataDir: string, size: number): Promise<{ roomId: number; members: Member[] }> {
  const onFatal = (error: Error) => {
    throw error;
  };
  const { store, epoch } = await openSqliteStore({ dataDir, onFatal });
  try {
    const owner = await newUser(store, 'bench-0');
    const { id: roomId } = await newRoom(store, owner.id);
    const users = [owner];
    while (users.length < size) {
      const next = Math.min(JOINING_AT_ONCE, size - users.length);
      const names = Array.from({ length: next }, (_, index) => `bench-${users.length + index}`);
      const some = await Promise.all(names.map((name) => newUser(store, name)));
      const now = Date.now();
      await Promise.all(
        some.map(({ id: userId }) => store.joinRoom({ roomId, userId, now, isSilent: true })),
      );
      users.push(...some);
    }
    const signingKey = deriveKeys(SECRET, epoch).access;
    const tokens = new SignedTokens(ACCESS_TOKEN, { signingKey, ttlS: TOKEN_S, now: Date.now });
    users.sort((one, other) => one.id - other.id);
    const members = users.map(({ id: userId, username }) => {
      const { token } = tokens.sign({ userId, username, sessionId: userId }, {});
      return { username, token };
    });
    return { roomId, members };
  } finally {
    await store.close();
  }
}

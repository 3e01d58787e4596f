import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Contender, STORES_NOTHING } from './contender.ts';
import { roomDoor } from './door.ts';
import { ServerProcess } from './server-process.ts';

const SERVER = fileURLToPath(new URL('./bun-server.js', import.meta.url));

/** Bun's `server.publish()`. It stores nothing and admits everybody. It is measured only if `bun` is in the PATH. */
export const bun: Contender = {
  name: 'Bun',
  durable: false,
  leavesOut: STORES_NOTHING,
  async start({ cores }) {
    const server = await ServerProcess.start(SERVER, { cores, nodeArgs: [], program: 'bun' });
    let lastRoom = 0;
    return {
      contender: bun,
      process: server,
      makeRooms: async (rooms) => Array.from({ length: rooms }, () => [roomDoor(server.port, ++lastRoom)]),
      stop: () => server.stop(),
    };
  },
};

/** Whether `bun` is in the PATH. */
export const hasBun = spawnSync('bun', ['--version']).status === 0;

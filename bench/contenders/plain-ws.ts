import { fileURLToPath } from 'node:url';
import { type Contender, STORES_NOTHING } from './contender.ts';
import { roomDoor } from './door.ts';
import { ServerProcess } from './server-process.ts';

const SERVER = fileURLToPath(new URL('./plain-ws-server.js', import.meta.url));

/** `for (const client of clients) client.send(json)`. It stores nothing and authenticates nobody. */
export const plainWs: Contender = {
  name: 'plain ws',
  durable: false,
  leavesOut: STORES_NOTHING,
  async start(options) {
    const server = await ServerProcess.start(SERVER, options);
    let lastRoom = 0;
    return {
      contender: plainWs,
      process: server,
      makeRooms: async (rooms) => Array.from({ length: rooms }, () => [roomDoor(server.port, ++lastRoom)]),
      stop: () => server.stop(),
    };
  },
};

import { fileURLToPath } from 'node:url';
import type { Door } from '../load/plan.ts';
import type { Contender } from './contender.ts';
import { ServerProcess } from './server-process.ts';

const SERVER = fileURLToPath(new URL('./socketio-server.js', import.meta.url));

/** `io.to(room).emit()`; it keeps nothing and asks nobody who they are. */
export const socketIo: Contender = {
  name: 'Socket.IO',
  durable: false,
  async start(options) {
    const server = await ServerProcess.start(SERVER, options);
    let lastRoom = 0;
    return {
      contender: socketIo,
      process: server,
      makeRooms: async (rooms) => Array.from({ length: rooms }, () => [doorTo(server.port, ++lastRoom)]),
      stop: () => server.stop(),
    };
  },
};

/** Engine.IO 4 carries Socket.IO 5: `40` enters the main namespace, `42` is an event. */
function doorTo(port: number, roomId: number): Door {
  return {
    port,
    path: `/socket.io/?EIO=4&transport=websocket&room_id=${roomId}`,
    subprotocol: null,
    ticket: null,
    hello: ['40'],
    readyMarker: '40{"sid"',
    frame: ['42["message","', '"]'],
  };
}

import { fileURLToPath } from 'node:url';
import type { Door } from '../load/plan.ts';
import { type Contender, STORES_NOTHING } from './contender.ts';
import { ServerProcess } from './server-process.ts';

const SERVER = fileURLToPath(new URL('./socketio-server.js', import.meta.url));

/** `io.to(room).emit()`. It stores nothing and authenticates nobody. */
export const socketIo: Contender = {
  name: 'Socket.IO',
  durable: false,
  leavesOut: STORES_NOTHING,
  async start(options) {
    const server = await ServerProcess.start(SERVER, options, {
      RECOVERY: options.isRecovering ? 'on' : 'off',
    });
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
  const path = `/socket.io/?EIO=4&transport=websocket&room_id=${roomId}`;
  return {
    port,
    path,
    subprotocol: null,
    ticket: null,
    hello: ['40'],
    readyMarker: '40{"sid"',
    frame: ['42["message","', '"]'],
    ack: null,
    // Connection state recovery: the private id comes with the first packet, and the offset at the end of each event.
    comeBack: {
      remember: { pid: '"pid":"([^"]+)"', offset: '},"([^"]+)"\\]' },
      path,
      hello: ['40{"pid":"{pid}","offset":"{offset}"}'],
      liveMarker: '40{"sid"',
      ticket: null,
    },
  };
}

/** Socket.IO as its documentation shows it for rooms, WebSocket transport only. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { nextMessage } from './memory-message.ts';

const http = createServer();
const io = new Server(http, {
  transports: ['websocket'],
  serveClient: false,
  // Heartbeats would be counted as frames, so they are off.
  pingInterval: 3_600_000,
  ...(process.env.RECOVERY === 'on' ? { connectionStateRecovery: {} } : {}),
});

io.on('connection', async (socket) => {
  const roomId = Number(socket.handshake.query.room_id);
  const room = `room:${roomId}`;
  await socket.join(room);
  socket.on('message', (content: string) => {
    io.to(room).emit('message', nextMessage(roomId, content));
  });
});
http.listen(0, '127.0.0.1', () => {
  console.log(`http://localhost:${(http.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));

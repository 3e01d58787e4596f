/** The simplest loop: it encodes a message once, and sends it to one client after the other. */
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { nextMessage } from './memory-message.ts';

const rooms = new Map<number, Set<WebSocket>>();
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });

server.on('connection', (socket, request) => {
  const roomId = Number(new URLSearchParams(request.url?.split('?')[1]).get('room_id'));
  const clients = rooms.get(roomId) ?? new Set();
  rooms.set(roomId, clients.add(socket));
  socket.on('close', () => clients.delete(socket));
  socket.on('message', (data) => {
    const { content } = JSON.parse(String(data)) as { content: string };
    const json = JSON.stringify(nextMessage(roomId, content));
    for (const client of clients) client.send(json);
  });
});
server.on('listening', () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));

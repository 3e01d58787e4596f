/** A server with Bun's own publish and subscribe, as its documentation shows it. It runs in Bun, not in Node. */
import { nextMessage } from './memory-message.ts';

/** The part of Bun's global that this file uses; Bun's types are not a dependency. */
interface BunSocket {
  readonly data: { roomId: number };
  subscribe(topic: string): void;
}
interface BunServer {
  readonly port: number;
  publish(topic: string, text: string): number;
  upgrade(request: Request, options: { data: BunSocket['data'] }): boolean;
}
interface BunOptions {
  port: number;
  hostname: string;
  fetch(request: Request, server: BunServer): Response | undefined;
  websocket: {
    perMessageDeflate: boolean;
    idleTimeout: number;
    sendPings: boolean;
    open(socket: BunSocket): void;
    message(socket: BunSocket, text: string | Uint8Array): void;
  };
}
declare const Bun: { serve(options: BunOptions): BunServer };

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, bun) {
    const roomId = Number(new URL(request.url).searchParams.get('room_id'));
    return bun.upgrade(request, { data: { roomId } }) ? undefined : new Response(null, { status: 426 });
  },
  websocket: {
    perMessageDeflate: false,
    // Heartbeats would be counted as frames.
    idleTimeout: 0,
    sendPings: false,
    open: (socket) => socket.subscribe(String(socket.data.roomId)),
    message({ data }, text) {
      const { content } = JSON.parse(String(text)) as { content: string };
      server.publish(String(data.roomId), JSON.stringify(nextMessage(data.roomId, content)));
    },
  },
});
console.log(`http://localhost:${server.port}`);
process.on('SIGTERM', () => process.exit(0));

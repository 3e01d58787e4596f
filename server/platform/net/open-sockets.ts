/**
 * All TCP connections of a server, from accept to close. Node's own listeners come and go as a connection changes hands
 * (a parser, an upgrade that waits, a WebSocket); what is attached here stays.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    const sockets = this.#sockets;
    /** Shared by all sockets: a closure for each would cost memory. */
    function forget(this: Socket): void {
      sockets.delete(this);
    }
    server.on('connection', (socket) => {
      // A connection that is handed back to be parsed again comes by a second time.
      if (sockets.has(socket)) return;
      sockets.add(socket);
      // Without a listener at the moment of a reset, the error would end the process.
      socket.on('error', destroy).on('close', forget);
    });
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** Cuts every connection, whatever state it is in. */
  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function destroy(this: Socket): void {
  this.destroy();
}

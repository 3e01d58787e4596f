/** A line between a browser and the server that can be cut and mended, while the server and everybody else go on. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Target } from '../support/http.ts';

export class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async lay(target: Target): Promise<Line> {
    const line: Line = new Line(createServer((near) => line.#join(near, connect(target.port, '127.0.0.1'))));
    await line.mend();
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.cut();
  }

  #join(near: Socket, far: Socket): void {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {
        // 'close' follows.
      });
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}

/** A connection between a browser and the server that can be cut and restored while everything else goes on. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { Target } from '../support/http.ts';

export class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `host`: passed on in place of the Host header of the browser, as by a proxy that is set up wrongly. */
  static async lay(target: Target, { host }: { host?: string } = {}): Promise<Line> {
    const line: Line = new Line(
      createServer((near) => line.#join(near, connect(target.port, '127.0.0.1'), host)),
    );
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

  #join(near: Socket, far: Socket, host?: string): void {
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
      if (socket === near && host !== undefined) socket.pipe(withHost(host)).pipe(other);
      else socket.pipe(other);
    }
  }
}

/** Each request of these tests has its head in one chunk. */
function withHost(host: string): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      done(null, Buffer.from(chunk.toString('latin1').replace(/^Host: .*$/m, `Host: ${host}`), 'latin1'));
    },
  });
}

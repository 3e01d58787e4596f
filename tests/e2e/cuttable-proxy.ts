/** A TCP proxy between a browser and the server, whose connections a test cuts and restores while both keep running. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { Target } from '../support/http.ts';

interface CuttableProxyOptions {
  /** Replaces the browser's Host header, as a misconfigured proxy does. */
  readonly host?: string | undefined;
  /** Awaited by each `cut`. */
  readonly beforeCut?: () => Promise<void>;
}

export class CuttableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #beforeCut: (() => Promise<void>) | undefined;
  #port = 0;

  private constructor(server: Server, beforeCut: (() => Promise<void>) | undefined) {
    this.#server = server;
    this.#beforeCut = beforeCut;
  }

  static async start(target: Target, { host, beforeCut }: CuttableProxyOptions = {}): Promise<CuttableProxy> {
    const proxy: CuttableProxy = new CuttableProxy(
      createServer((near) => proxy.#join(near, connect(target.port, '127.0.0.1'), host)),
      beforeCut,
    );
    await proxy.restore();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    await this.#beforeCut?.();
    await this.#close();
  }

  async restore(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.#close();
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
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

/** A TCP relay between a store and its database, which cuts connections at chosen moments. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Of each chunk that goes to the database: pass it on; cut the connection; pass it on, and cut the connection at the
 * reply; or swallow it, and keep the connection.
 */
export type Fate = 'pass' | 'lose' | 'lose reply' | 'swallow';

export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Asked for each chunk on its way to the database. */
  decide: (chunk: Buffer) => Fate = () => 'pass';
  /** Connections that were cut after a chunk had gone in. */
  cutReplies = 0;

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((near) => this.#join(near, connect(target.port, target.host)));
  }

  static async start(target: { host: string; port: number }): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(near: Socket, far: Socket): void {
    let isReplyLost = false;
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    near.on('data', (chunk) => {
      const fate = this.decide(chunk);
      if (fate === 'lose') return cut();
      if (fate === 'swallow') return;
      if (fate === 'lose reply') isReplyLost = true;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!isReplyLost) return void near.write(chunk);
      this.cutReplies++;
      cut();
    });
  }
}

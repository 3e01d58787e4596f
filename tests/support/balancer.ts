/** A TCP load balancer in front of several servers: each connection goes to the next one that accepts it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Target } from './http.ts';

/** Where a server is; without an address on this machine. */
export interface Behind {
  address?: string;
  port: number;
}

export class Balancer implements Target {
  readonly #server: Server;
  readonly #servers: () => readonly Behind[];
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  private constructor(server: Server, servers: () => readonly Behind[]) {
    this.#server = server;
    this.#servers = servers;
  }

  /** `servers` is asked at each connection. */
  static async start(servers: () => readonly Behind[]): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server, servers);
    server.on('connection', (socket) => balancer.#pass(socket, servers().length));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Tries the next server, and as many others as there are. */
  #pass(client: Socket, tries: number): void {
    const servers = this.#servers();
    const next = servers[this.#turn++ % servers.length];
    if (tries === 0 || next === undefined) return void client.destroy();
    const server = connect(next.port, next.address ?? '127.0.0.1');
    this.#sockets.add(client).add(server);
    const end = () => {
      for (const socket of [client, server]) {
        this.#sockets.delete(socket);
        socket.destroy();
      }
    };
    const tryNext = () => {
      this.#sockets.delete(server);
      this.#pass(client, tries - 1);
    };
    server.once('error', tryNext);
    client.once('error', end);
    server.once('connect', () => {
      server.off('error', tryNext);
      for (const socket of [client, server]) socket.once('error', end).once('close', end);
      client.pipe(server).pipe(client);
    });
  }
}

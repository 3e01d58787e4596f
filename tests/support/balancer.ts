/** A TCP load balancer in front of several servers: each connection goes to the next one that accepts it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Target } from './http.ts';

export class Balancer implements Target {
  readonly #server: Server;
  readonly #ports: () => readonly number[];
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  private constructor(server: Server, ports: () => readonly number[]) {
    this.#server = server;
    this.#ports = ports;
  }

  /** `ports`: of the servers, asked at each connection. */
  static async start(ports: () => readonly number[]): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server, ports);
    server.on('connection', (socket) => balancer.#pass(socket, ports().length));
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
    const ports = this.#ports();
    const port = ports[this.#turn++ % ports.length];
    if (tries === 0 || port === undefined) return void client.destroy();
    const server = connect(port, '127.0.0.1');
    this.#sockets.add(client).add(server);
    const end = () => {
      for (const socket of [client, server]) {
        this.#sockets.delete(socket);
        socket.destroy();
      }
    };
    const next = () => {
      this.#sockets.delete(server);
      this.#pass(client, tries - 1);
    };
    server.once('error', next);
    client.once('error', end);
    server.once('connect', () => {
      server.off('error', next);
      for (const socket of [client, server]) socket.once('error', end).once('close', end);
      client.pipe(server).pipe(client);
    });
  }
}

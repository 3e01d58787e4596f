/** Servers on free ports of this machine, and clients that may reach them; all of them end with their test. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { afterEach } from 'vitest';
import { Outgoing, type OutgoingOptions } from '../outgoing.ts';

const servers: (Server | TcpServer)[] = [];
const clients: Outgoing[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.stop();
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

/** Listens, and returns the port. */
export async function portOf(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Listens for HTTP, and returns the port. */
export function listen(handle: RequestListener): Promise<number> {
  return portOf(createServer(handle));
}

export function outgoing(options: Partial<OutgoingOptions> = {}): Outgoing {
  const client = new Outgoing({ allow: [], ...options });
  clients.push(client);
  return client;
}

/** A client that may reach these ports of this machine. */
export function allowing(...ports: number[]): Outgoing {
  return outgoing({ allow: ports.map((port) => `127.0.0.1:${port}`) });
}

export const REFUSED = { name: 'OutgoingError', reason: 'refused' };

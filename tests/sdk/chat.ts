/** Clients of these tests. */
import { WebSocket } from 'ws';
import { ChatClient, type ChatClientOptions, isLive, type Room } from '../../client/index.ts';
import { eventually } from '../support/eventually.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { PASSWORD, uniqueName } from '../support/users.ts';

/** Every client that a test has created; closed after it. */
const clients: ChatClient[] = [];

export function newClient(server: ServerProcess, options: Partial<ChatClientOptions> = {}): ChatClient {
  const client = new ChatClient({ url: server.url, WebSocket, ...options });
  clients.push(client);
  return client;
}

/** A client of a new user. */
export async function newcomer(
  server: ServerProcess,
  options: Partial<ChatClientOptions> = {},
): Promise<ChatClient> {
  const client = newClient(server, options);
  await client.signUp(uniqueName('user'), PASSWORD);
  return client;
}

export function closeClients(): void {
  for (const client of clients.splice(0)) client.close();
}

export async function isOpen(room: Room): Promise<void> {
  await eventually(`room ${room.id} is open`, () => (isLive(room.state) ? true : undefined));
}

/** The messages that a listener of the room receives from now on. */
export function ear(room: Room) {
  const heard: string[] = [];
  room.on('message', ({ content }) => heard.push(content));
  return {
    heard,
    hears: (count: number) =>
      eventually(`${count} messages`, () => (heard.length >= count ? true : undefined), 60_000),
  };
}

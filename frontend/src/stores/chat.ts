import type { ChatClient } from '../../../client/index.ts';

let client: ChatClient | null = null;

/** Gives the application its client, once, when it starts. */
export function provideChat(provided: ChatClient): void {
  client = provided;
}

/** The connection to the server, and whose it is. */
export function chat(): ChatClient {
  if (client === null) throw new Error('startApp() has not run');
  return client;
}

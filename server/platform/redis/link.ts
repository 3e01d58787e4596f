/**
 * Two connections to one Redis: one for commands, and one for the channels that this process listens to. They live and
 * die together, and are never repaired: when one fails, both are replaced. The client's own reconnection is off,
 * because it can come back without its subscriptions (node-redis #2823).
 */
import { createClient } from '@redis/client';
import { within } from '../deadline.ts';

const CONNECT_MS = 2000;
/** Commands without a reply. Beyond that a command is refused at once. */
const QUEUE_MAX = 10_000;
/**
 * The client stops writing at the socket's high-water mark, until a later turn of the event loop. The default of 16 KiB
 * would be all that a busy process publishes in a turn. What is published at once is bounded in redis.ts.
 */
const UNSENT_BYTES = 16 * 1024 * 1024;

/** What is used of a link once it is open. */
export type RedisLink = Pick<Link, 'lost' | 'send' | 'subscribe' | 'unsubscribe' | 'destroy'>;

type Client = ReturnType<typeof newClient>;

/** What the server says of itself. */
export interface ServerFacts {
  name: string;
  version: string;
  mode: string;
  role: string;
}

export class Link {
  /** Resolves with the cause when the link cannot be used any more. */
  readonly lost: Promise<Error>;
  readonly #commands: Client;
  readonly #subscriber: Client;
  #lose: (cause: Error) => void = () => {};

  private constructor(url: string) {
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.#commands = newClient(url);
    this.#subscriber = newClient(url);
    for (const client of [this.#commands, this.#subscriber]) {
      client.on('error', (error: Error) => this.destroy(error));
    }
  }

  /** Rejects when the server cannot be reached within two seconds, or refuses us. */
  static async open(url: string): Promise<Link> {
    const link = new Link(url);
    try {
      const connected = Promise.all([link.#commands.connect(), link.#subscriber.connect()]);
      await within(CONNECT_MS, connected, 'no response');
      return link;
    } catch (error) {
      link.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  async facts(): Promise<ServerFacts> {
    const hello = await within(CONNECT_MS, this.send(['HELLO']), 'no response');
    const { server, version, mode, role } = hello as Record<string, unknown>;
    return { name: String(server), version: String(version), mode: String(mode), role: String(role) };
  }

  /** Rejects with the server's error, or when the link is lost before the reply comes. */
  send(command: readonly string[]): Promise<unknown> {
    return this.#commands.sendCommand(command);
  }

  /** Resolves when all of them are heard. */
  async subscribe(channels: string[], listener: (payload: string, channel: string) => void): Promise<void> {
    await this.#subscriber.subscribe(channels, listener);
  }

  async unsubscribe(channels: string[], listener: (payload: string, channel: string) => void): Promise<void> {
    await this.#subscriber.unsubscribe(channels, listener);
  }

  /** Commands without a reply reject. */
  destroy(cause: Error): void {
    this.#lose(cause);
    for (const client of [this.#commands, this.#subscriber]) client.destroy();
  }
}

function newClient(url: string) {
  return createClient({
    url,
    RESP: 3,
    commandsQueueMaxLength: QUEUE_MAX,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Deadlines are ours (redis.ts). The client's own one makes an AbortSignal for each command, which costs more than
    // the command.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false, ...{ highWaterMark: UNSENT_BYTES } },
  });
}

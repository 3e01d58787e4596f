/** The world of the pictures on a real server, whose clock the script sets. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD, type SeededWorld, seedWorld } from '../../../demo/seed.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { type Login, logIn } from '../../support/users.ts';
import { ChatClient } from '../../support/ws-client.ts';
import { givePictures, settleIn } from './own-rooms.ts';
import { planPictures } from './plan.ts';
import { type Line, ME, NOW, PRESENT, ROOMS, type RoomKey } from './script.ts';

const CLOCK = new URL('./server-clock.js', import.meta.url).href;

export class World {
  readonly server: ServerProcess;
  readonly me: Login;
  readonly #folder: string;
  readonly #seeded: SeededWorld;
  readonly #present = new Map<string, ChatClient>();

  private constructor(folder: string, server: ServerProcess, me: Login, seeded: SeededWorld) {
    this.#folder = folder;
    this.server = server;
    this.me = me;
    this.#seeded = seeded;
  }

  static async build(): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-pictures-'));
    await setClock(folder, NOW);
    const plan = planPictures();
    const seeded = await seedWorld(join(folder, 'data'), plan);
    const server = await ServerProcess.start({
      dataDir: folder,
      env: {
        CLOCK_FILE: clockFile(folder),
        // The clock jumps, which must not sign anyone out.
        ACCESS_TOKEN_TTL_S: '86400',
      },
      execArgv: ['--import', CLOCK],
    });
    const world = new World(folder, server, await logIn(server, ME, PASSWORD), seeded);
    await givePictures(server, seeded);
    await settleIn(server, world.me, seeded);
    await world.gather();
    return world;
  }

  path(key: RoomKey): string {
    return `/rooms/${this.roomId(key)}`;
  }

  /** What the device keeps: a draft. */
  get device(): Record<string, string> {
    return { [`chat_draft:${this.me.userId}:${this.roomId('design')}`]: 'The second one, but with' };
  }

  /** Turns the server's calendar. */
  async turnTo(at: string): Promise<void> {
    await setClock(this.#folder, at);
  }

  /** Somebody says something, at its time. */
  async say({ at, room, who, says }: Line): Promise<void> {
    await this.turnTo(at);
    const client = await this.enter(room, who);
    const heard = client.frames.length;
    client.send({ type: 'message', content: says });
    await client.waitFor('message', ({ content }) => content === says, heard);
  }

  /** The socket of a person in a room, opened when there is none. */
  async enter(room: RoomKey, who: string): Promise<ChatClient> {
    const key = `${room} ${who}`;
    const present = this.#present.get(key);
    if (present !== undefined) return present;
    const login = await logIn(this.server, who, PASSWORD);
    const client = await ChatClient.enter(this.server, login, this.roomId(room));
    this.#present.set(key, client);
    return client;
  }

  async leave(room: RoomKey, who: string): Promise<void> {
    const key = `${room} ${who}`;
    await this.#present.get(key)?.close();
    this.#present.delete(key);
  }

  /** Everybody is where the script has them, and nowhere else. */
  async gather(): Promise<void> {
    for (const client of this.#present.values()) await client.close();
    this.#present.clear();
    for (const [room, names] of Object.entries(PRESENT)) {
      for (const name of names) await this.enter(room as RoomKey, name);
    }
  }

  roomId(key: RoomKey): number {
    const id = this.#seeded.roomIds.get(ROOMS[key]);
    if (id === undefined) throw new Error(`no room is called ${ROOMS[key]}`);
    return id;
  }

  async dispose(): Promise<void> {
    await this.server.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function clockFile(folder: string): string {
  return join(folder, 'clock');
}

async function setClock(folder: string, at: string): Promise<void> {
  // Put in place whole: the server may read at any moment.
  await writeFile(`${clockFile(folder)}.new`, at);
  await rename(`${clockFile(folder)}.new`, clockFile(folder));
}

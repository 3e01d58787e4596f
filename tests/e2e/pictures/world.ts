/** The small world of the pictures: a real server with real people, whose calendar we turn. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Room } from '../../../protocol/rest.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { createRoom, type Login, logIn, signUp } from '../../support/users.ts';
import { ChatClient } from '../../support/ws-client.ts';
import { type Line, ME, NOW, PAST, PRESENT, ROOMS, type RoomKey } from './script.ts';

const CLOCK = new URL('./server-clock.js', import.meta.url).href;
/** Before the first line. */
const BEGINNING = '2026-11-17T09:00:00Z';

export class World {
  readonly server: ServerProcess;
  readonly rooms: ReadonlyMap<RoomKey, Room>;
  readonly #folder: string;
  readonly #people: Map<string, Login>;
  readonly #present = new Map<string, ChatClient>();

  private constructor(
    folder: string,
    server: ServerProcess,
    people: Map<string, Login>,
    rooms: Map<RoomKey, Room>,
  ) {
    this.#folder = folder;
    this.server = server;
    this.#people = people;
    this.rooms = rooms;
  }

  static async build(): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-pictures-'));
    await setClock(folder, BEGINNING);
    const server = await ServerProcess.start({
      env: {
        CLOCK_FILE: clockFile(folder),
        // The calendar jumps by hours; nobody is to be signed out by that.
        ACCESS_TOKEN_TTL_S: '86400',
      },
      execArgv: ['--import', CLOCK],
    });
    // One after the other: ids, and with them colours and the order of rooms, are the same each time.
    const people = new Map<string, Login>();
    for (const name of new Set([ME, ...Object.values(PRESENT).flat(), ...PAST.map(({ who }) => who)])) {
      people.set(name, await signUp(server, name));
    }
    const rooms = new Map<RoomKey, Room>();
    const me = people.get(ME);
    if (me === undefined) throw new Error(`${ME} is not there`);
    for (const [key, name] of Object.entries(ROOMS)) {
      rooms.set(key as RoomKey, await createRoom(server, me, name));
    }
    const world = new World(folder, server, people, rooms);
    for (const line of PAST) await world.say(line);
    await world.gather();
    await setClock(folder, NOW);
    for (const name of people.keys()) people.set(name, await logIn(server, name));
    return world;
  }

  person(name: string): Login {
    const login = this.#people.get(name);
    if (login === undefined) throw new Error(`nobody is called ${name}`);
    return login;
  }

  room(key: RoomKey): Room {
    const room = this.rooms.get(key);
    if (room === undefined) throw new Error(`no room is called ${key}`);
    return room;
  }

  path(key: RoomKey): string {
    return `/rooms/${this.room(key).id}`;
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
    // In this world days go by between two entrances, and an access token lasts for one at most.
    const login = await logIn(this.server, who);
    const client = await ChatClient.enter(this.server, login, this.room(room).id);
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

/** Live traffic: through the SDK, some of the people write, type, come and go until they are stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ChatClient, type Room } from '../client/index.ts';
import { Deck } from './deck.ts';
import { ME } from './people.ts';
import { Random } from './random.ts';
import type { Scene } from './scenes/scene.ts';
import { PASSWORD } from './seed.ts';
import { partsOf, play } from './talk.ts';
import type { PlannedRoom, World } from './world.ts';

/** People who are online for each room. Each looks at one room at a time, at first at this one. */
const RESIDENTS_A_ROOM = 2;
const ROOMS_EACH = 4;
const CONVERSATION_EVERY_MS = { min: 4000, max: 14_000 };
/** Elsewhere people only come and go: who has just signed in finds most rooms read. */
const LIVELY: readonly string[] = ['General', 'Release 2.4', 'Support', 'Backend'];
const COMING_OR_GOING_EVERY_MS = { min: 12_000, max: 30_000 };
const READING_MS = { min: 1200, max: 4500 };
/** The server forgets that somebody is typing after 3 s. */
const TYPING_AGAIN_MS = 1500;
const MAX_TYPING_MS = 7000;

interface Resident {
  readonly name: string;
  readonly client: ChatClient;
  readonly rooms: Map<string, Room>;
}

export interface LiveOptions {
  readonly url: string;
  readonly world: World;
  readonly roomIds: ReadonlyMap<string, number>;
  readonly seed: number;
}

export class LiveTraffic {
  readonly #options: LiveOptions;
  readonly #random: Random;
  readonly #end = new AbortController();
  readonly #residents: Resident[] = [];
  readonly #decks = new Map<string, Deck<Scene>>();
  readonly #talking = new Set<string>();

  private constructor(options: LiveOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    for (const { name, topic } of options.world.rooms) {
      if (topic !== null) this.#decks.set(name, new Deck(topic.scenes, this.#random));
    }
  }

  /** Signs everybody in, enters their rooms, and starts the traffic. */
  static async start(options: LiveOptions): Promise<LiveTraffic> {
    const traffic = new LiveTraffic(options);
    for (const [name, home] of traffic.#chooseResidents()) await traffic.#arrive(name, home);
    traffic.#every(CONVERSATION_EVERY_MS, () => traffic.#converse());
    traffic.#every(COMING_OR_GOING_EVERY_MS, async () => traffic.#comeOrGo());
    return traffic;
  }

  get people(): number {
    return this.#residents.length;
  }

  stop(): void {
    this.#end.abort();
    for (const { client } of this.#residents) client.close();
  }

  /** People from each room, so that no room is empty. */
  #chooseResidents(): Map<string, PlannedRoom> {
    const chosen = new Map<string, PlannedRoom>();
    for (const room of this.#options.world.rooms) {
      const others = room.members.filter((name) => name !== ME && !chosen.has(name));
      for (const name of this.#random.sample(others, RESIDENTS_A_ROOM)) chosen.set(name, room);
    }
    return chosen;
  }

  async #arrive(name: string, home: PlannedRoom): Promise<void> {
    const client = new ChatClient({ url: this.#options.url, WebSocket, keep: 10 });
    await client.signIn(name, PASSWORD);
    const resident: Resident = { name, client, rooms: new Map() };
    this.#residents.push(resident);
    for (const room of this.#random.sample(this.#roomsOf(name), ROOMS_EACH - 1)) this.#enter(resident, room);
    // The room that was entered last is the one in sight.
    this.#enter(resident, home);
  }

  #roomsOf(name: string): readonly PlannedRoom[] {
    return this.#options.world.rooms.filter(({ members }) => members.includes(name));
  }

  #enter(resident: Resident, { name }: PlannedRoom): void {
    const roomId = this.#options.roomIds.get(name);
    if (roomId !== undefined) resident.rooms.set(name, resident.client.enter(roomId));
  }

  async #converse(): Promise<void> {
    const { rooms } = this.#options.world;
    const lively = rooms.filter(({ name }) => LIVELY.includes(name));
    const quiet = (lively.length > 0 ? lively : rooms).filter(({ name }) => !this.#talking.has(name));
    const [room] = this.#random.sample(quiet, 1);
    if (room === undefined) return;
    const present = this.#residents.filter(({ rooms }) => rooms.has(room.name));
    const scene = present.length === 0 ? undefined : this.#decks.get(room.name)?.deal();
    // One person may play two parts of several, but not all of them: nobody talks only to themselves.
    if (scene === undefined || partsOf(scene) > present.length + 1) return;
    this.#talking.add(room.name);
    try {
      const cast = this.#random.sample(present, partsOf(scene));
      const lines = play(
        scene,
        cast.map(({ name }) => name),
        this.#random,
      );
      for (const { who, content } of lines) {
        await this.#say(cast.find(({ name }) => name === who)?.rooms.get(room.name), content);
      }
    } finally {
      this.#talking.delete(room.name);
    }
  }

  /** Reads, types for as long as such a text takes, and sends. A person who has left meanwhile sends nothing. */
  async #say(room: Room | undefined, content: string): Promise<void> {
    await this.#wait(READING_MS);
    for (let left = Math.min(content.length * 45, MAX_TYPING_MS); left > 0; left -= TYPING_AGAIN_MS) {
      room?.setTyping(true);
      await this.#wait({ min: Math.min(left, TYPING_AGAIN_MS), max: Math.min(left, TYPING_AGAIN_MS) });
    }
    if (room !== undefined && !room.isOver) await room.send(content);
  }

  #comeOrGo(): void {
    const resident = this.#random.pick(this.#residents);
    const [absent] = this.#random.sample(
      this.#roomsOf(resident.name).filter(({ name }) => !resident.rooms.has(name)),
      1,
    );
    if (absent !== undefined && this.#random.chance(0.5)) return this.#enter(resident, absent);
    const [going] = this.#random.sample([...resident.rooms].slice(0, -1), 1);
    // Nobody leaves in the middle of a conversation.
    if (going === undefined || this.#talking.has(going[0])) return;
    resident.rooms.delete(going[0]);
    going[1].leave();
  }

  /** Starts `action` repeatedly, without waiting for the last one to end. */
  #every(pause: { min: number; max: number }, action: () => Promise<void>): void {
    const ended = () => {
      // Stopped in the middle of an action.
    };
    const loop = async () => {
      for (;;) {
        await this.#wait(pause);
        action().catch(ended);
      }
    };
    loop().catch(ended);
  }

  async #wait({ min, max }: { min: number; max: number }): Promise<void> {
    await sleep(this.#random.integer(min, max), undefined, { signal: this.#end.signal });
  }
}

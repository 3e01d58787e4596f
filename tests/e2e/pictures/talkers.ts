/** People who say and do things in one room. */
import { randomUUID } from 'node:crypto';
import { PASSWORD } from '../../../demo/seed.ts';
import { send } from '../../support/http.ts';
import { RoomLine } from '../../support/room-line.ts';
import { type Login, logIn } from '../../support/users.ts';
import { ME } from './script.ts';
import type { World } from './world.ts';

interface Answer {
  readonly reply_to?: number;
  readonly thread_id?: number;
}

export class Talkers {
  readonly roomId: number;
  readonly #world: World;
  readonly #logins = new Map<string, Login>();
  readonly #lines = new Map<string, RoomLine>();

  private constructor(world: World, roomId: number) {
    this.#world = world;
    this.roomId = roomId;
  }

  /** They become members where they are none. The user is not counted as being there. */
  static async join(world: World, roomId: number, names: readonly string[]): Promise<Talkers> {
    const talkers = new Talkers(world, roomId);
    for (const who of names) {
      const login = who === ME ? world.me : await logIn(world.server, who, PASSWORD);
      talkers.#logins.set(who, login);
      await talkers.ask(who, 'PUT', '/members/me');
      const line = await RoomLine.enter(world.server, login, roomId, { isInSight: who !== ME });
      talkers.#lines.set(who, line);
    }
    return talkers;
  }

  /** The socket of one of them. */
  line(who: string): RoomLine {
    const line = this.#lines.get(who);
    if (line === undefined) throw new Error(`${who} is not in the room`);
    return line;
  }

  /** Somebody says something today; returns the id of the message. */
  async say(who: string, at: string, content: string, answer: Answer = {}): Promise<number> {
    await this.#world.turnTo(`2026-11-19T${at}:00Z`);
    const line = this.line(who);
    const cid = randomUUID();
    const from = line.mark();
    line.send({ type: 'message', room_id: this.roomId, content, cid, ...answer });
    return (await line.waitFor('ack', (ack) => ack.cid === cid, from)).id;
  }

  /** A request below the room, as this person. */
  async ask(who: string, method: string, path: string, json?: unknown): Promise<void> {
    const target = `/api/v1/rooms/${this.roomId}${path}`;
    const token = this.#logins.get(who)?.accessToken ?? '';
    const reply = await send(this.#world.server, target, { method, token, json });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  }

  async react(id: number, emoji: string, people: readonly string[]): Promise<void> {
    const path = `/messages/${id}/reactions/${encodeURIComponent(emoji)}`;
    await Promise.all(people.map((who) => this.ask(who, 'PUT', path)));
  }

  async leave(): Promise<void> {
    for (const line of this.#lines.values()) await line.close();
    this.#lines.clear();
  }
}

/**
 * A server with people, rooms and messages, and the same as the oracle of the search sees them. Each act is done at the
 * server first; once it is answered, the oracle knows of it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { messageSchema } from '../../../protocol/events.ts';
import { uploadedFile } from '../../../protocol/rest/files.ts';
import { roomSchema } from '../../../protocol/rooms.ts';
import { eventually } from '../eventually.ts';
import { expectReply } from '../expect-reply.ts';
import { send } from '../http.ts';
import { LineClient } from '../line-client.ts';
import type { ServerProcess } from '../server-process.ts';
import { addMember, createRoom, type Login, signUp } from '../users.ts';
import type { SearchFile, SearchMessage, SearchPerson, SearchRoom } from './naive-search.ts';

export class SearchStage {
  /** They share a database. */
  readonly servers: readonly ServerProcess[];
  readonly people: SearchPerson[] = [];
  readonly rooms: SearchRoom[] = [];
  readonly messages: SearchMessage[] = [];
  readonly #logins = new Map<SearchPerson, Login>();
  readonly #roomIds = new Map<SearchRoom, number>();
  /** By key. */
  readonly #ids: number[] = [];
  readonly #keys = new Map<number, number>();
  readonly #revisions = new Map<SearchMessage, number>();
  #lines = new Map<SearchPerson, LineClient>();
  #turn = 0;

  constructor(servers: readonly ServerProcess[]) {
    this.servers = servers;
  }

  /** Another one at each request. */
  get server(): ServerProcess {
    const running = this.servers.filter(({ isRunning }) => isRunning);
    const server = running[this.#turn++ % running.length];
    assert(server, 'no process runs');
    return server;
  }

  /** The key of a message by its id at the server. */
  keyOf(id: number): number {
    const key = this.#keys.get(id);
    assert(key !== undefined, `nobody posted message ${id}`);
    return key;
  }

  idOf({ key }: SearchMessage): number {
    return this.#ids[key] ?? 0;
  }

  login(person: SearchPerson): Login {
    const login = this.#logins.get(person);
    assert(login);
    return login;
  }

  async signUp(name: string): Promise<SearchPerson> {
    const person: SearchPerson = { name, blocked: new Set() };
    this.#logins.set(person, await signUp(this.server, name));
    this.people.push(person);
    return person;
  }

  /** The first of the people makes it. */
  async makeRoom(
    name: string,
    kind: SearchRoom['kind'],
    people: readonly SearchPerson[],
  ): Promise<SearchRoom> {
    const [owner, ...others] = people.map((person) => this.login(person));
    assert(owner);
    const room: SearchRoom = { name, kind, members: new Set(people) };
    if (kind === 'dm') {
      const json = { user_ids: others.map(({ userId }) => userId) };
      const made = await send(this.server, '/api/v1/dms', {
        ...{ method: 'POST', token: owner.accessToken, json },
      });
      this.#roomIds.set(room, expectReply(made, 201, roomSchema).id);
    } else {
      const { id } = await createRoom(this.server, owner, name, kind);
      for (const { userId } of others) await addMember(this.server, owner, id, userId);
      this.#roomIds.set(room, id);
    }
    this.rooms.push(room);
    return room;
  }

  async post(
    room: SearchRoom,
    author: SearchPerson,
    content: string,
    root: SearchMessage | null = null,
  ): Promise<SearchMessage> {
    const line = await this.#lineOf(author);
    const [cid, from] = [randomUUID(), line.mark()];
    line.send({
      ...{ type: 'message', room_id: this.#idOfRoom(room), content, cid },
      ...(root && { thread_id: this.idOf(root) }),
    });
    const { id, created_at } = await line.waitFor('ack', (ack) => ack.cid === cid, from);
    if (root) root.replies++;
    return this.#keep({ room, author, content, root, files: [], at: Date.parse(created_at) }, id);
  }

  async postFile(
    room: SearchRoom,
    author: SearchPerson,
    content: string,
    { bytes, ...file }: SearchFile & { bytes: Uint8Array },
  ): Promise<SearchMessage> {
    const query = new URLSearchParams({ name: file.name, alt: file.alt, content });
    const login = this.login(author);
    const reply = await send(this.server, `/api/v1/rooms/${this.#idOfRoom(room)}/files?${query}`, {
      ...{ method: 'POST', token: login.accessToken, body: bytes },
    });
    const { message } = expectReply(reply, 201, uploadedFile);
    assert(message);
    // Only then it is known what kind of file it is.
    await eventually('the check of a file', async () => {
      const path = `/api/v1/rooms/${this.#idOfRoom(room)}/messages/${message.id}`;
      const { json } = await send(this.server, path, { token: login.accessToken });
      return messageSchema.parse(json).files?.every(({ state }) => state === undefined) || undefined;
    });
    return this.#keep({ room, author, content, root: null, files: [file], at: Date.now() }, message.id);
  }

  async edit(message: SearchMessage, content: string): Promise<void> {
    const revision = this.#revisions.get(message) ?? 0;
    await this.#change(message, message.author, 'PUT', '', { content, base_revision: revision });
    this.#revisions.set(message, revision + 1);
    Object.assign(message, { content, isEdited: true });
  }

  async delete(message: SearchMessage): Promise<void> {
    await this.#change(message, message.author, 'DELETE', '');
    message.isDeleted = true;
    if (message.root) message.root.replies--;
  }

  async pin(message: SearchMessage, isPinned: boolean): Promise<void> {
    const [owner] = message.room.members;
    assert(owner);
    await this.#change(message, owner, isPinned ? 'PUT' : 'DELETE', '/pin');
    message.isPinned = isPinned;
  }

  async save(message: SearchMessage, reader: SearchPerson, isSaved: boolean): Promise<void> {
    await this.#change(message, reader, isSaved ? 'PUT' : 'DELETE', '/saved', isSaved ? {} : undefined);
    if (isSaved) message.savedBy.add(reader);
    else message.savedBy.delete(reader);
  }

  /** The room's first person reacts, or takes it back. */
  async react(message: SearchMessage, emoji: string): Promise<void> {
    const [person] = message.room.members;
    assert(person);
    const isNew = !message.reactions.has(emoji);
    const path = `/reactions/${encodeURIComponent(emoji)}`;
    await this.#change(message, person, isNew ? 'PUT' : 'DELETE', path);
    if (isNew) message.reactions.add(emoji);
    else message.reactions.delete(emoji);
  }

  async leave(room: SearchRoom, person: SearchPerson): Promise<void> {
    await this.#ask(person, 'DELETE', `/rooms/${this.#idOfRoom(room)}/members/me`);
    room.members.delete(person);
  }

  /** By the room's owner. */
  async remove(room: SearchRoom, person: SearchPerson, how: 'members' | 'bans'): Promise<void> {
    const path = `/rooms/${this.#idOfRoom(room)}/${how}/${this.login(person).userId}`;
    await this.#ask(ownerOf(room), how === 'bans' ? 'PUT' : 'DELETE', path, how === 'bans' ? {} : undefined);
    room.members.delete(person);
  }

  async add(room: SearchRoom, person: SearchPerson): Promise<void> {
    const [owner, { userId }] = [ownerOf(room), this.login(person)];
    await this.#ask(owner, 'DELETE', `/rooms/${this.#idOfRoom(room)}/bans/${userId}`);
    await this.#ask(owner, 'PUT', `/rooms/${this.#idOfRoom(room)}/members/${userId}`, {});
    room.members.add(person);
  }

  async block(reader: SearchPerson, other: SearchPerson, isBlocked: boolean): Promise<void> {
    await this.#ask(reader, isBlocked ? 'PUT' : 'DELETE', `/me/blocks/${this.login(other).userId}`);
    if (isBlocked) reader.blocked.add(other);
    else reader.blocked.delete(other);
  }

  /** Ends a process without a word to it. */
  async kill(server: ServerProcess): Promise<void> {
    await server.kill();
    await this.forgetLines();
  }

  async forgetLines(): Promise<void> {
    const lines = [...this.#lines.values()];
    this.#lines = new Map();
    await Promise.all(lines.map((line) => line.close()));
  }

  async #lineOf(person: SearchPerson): Promise<LineClient> {
    const line = this.#lines.get(person) ?? (await LineClient.start(this.server, this.login(person)));
    this.#lines.set(person, line);
    return line;
  }

  #keep(
    of: Pick<SearchMessage, 'room' | 'author' | 'content' | 'root' | 'files' | 'at'>,
    id: number,
  ): SearchMessage {
    const message: SearchMessage = {
      ...of,
      ...{ key: this.messages.length, isDeleted: false, isEdited: false, isPinned: false, replies: 0 },
      ...{ reactions: new Set(), savedBy: new Set() },
    };
    this.messages.push(message);
    this.#ids.push(id);
    this.#keys.set(id, message.key);
    return message;
  }

  #idOfRoom(room: SearchRoom): number {
    return this.#roomIds.get(room) ?? 0;
  }

  async #change(
    message: SearchMessage,
    actor: SearchPerson,
    method: string,
    end: string,
    json?: object,
  ): Promise<void> {
    const path = `/rooms/${this.#idOfRoom(message.room)}/messages/${this.idOf(message)}${end}`;
    await this.#ask(actor, method, path, json);
  }

  async #ask(actor: SearchPerson, method: string, path: string, json?: object): Promise<void> {
    const { accessToken: token } = this.login(actor);
    const options = { method, token, ...(json && { json }) };
    const reply = await send(this.server, `/api/v1${path}`, options);
    assert(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  }
}

/** The first of its people, who never leaves. */
export function ownerOf({ members }: SearchRoom): SearchPerson {
  const [owner] = members;
  assert(owner);
  return owner;
}

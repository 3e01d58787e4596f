/** The people and rooms of the access matrix, and its requests. */
import assert from 'node:assert/strict';
import { messageSchema } from '../../protocol/events.ts';
import { filePath } from '../../protocol/file-names.ts';
import { membersResponse, myRoomsResponse, roomsResponse } from '../../protocol/rest/rooms.ts';
import type { Room } from '../../protocol/rooms.ts';
import { inDatabaseOf } from '../support/database.ts';
import { type HttpReply, type RequestOptions, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { sendOneFile } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp, uniqueName } from '../support/users.ts';
import { type FrameName, type Outcome as FrameOutcome, playFrame, responsesAbout } from './access-frames.ts';
import type { Kind, PersonName } from './access-matrix.ts';

/** Also `target`, who is in every room, and `outsider`, who is in none. */
type Name = PersonName | 'target' | 'outsider';

/** A room, and an invitation to it that its owner made. */
export interface Place {
  id: number;
  name: string;
  invite: { id: number; code: string };
  /** Resolves with the id of a text that `target` has posted there, and answered in a thread. */
  message(): Promise<number>;
  /** Resolves with a file that `target` has posted there, which has been checked. */
  file(): Promise<{ key: string; messageId: number }>;
}

type Request = (person: PersonName, place: Place) => Promise<HttpReply>;

export class AccessWorld {
  readonly server: ServerProcess;
  readonly #people: Record<Name, Login>;
  readonly #ownRooms = new Map<PersonName, Promise<number>>();

  private constructor(server: ServerProcess, people: Record<Name, Login>) {
    this.server = server;
    this.#people = people;
  }

  /** Roles of the server have no request yet that gives all of them, so they are written to the database. */
  static async make(): Promise<AccessWorld> {
    const server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
    const names = ['stranger', 'guest', 'admin', 'member', 'moderator', 'owner', 'visitor'] as const;
    const people = {} as Record<Name, Login>;
    for (const name of [...names, 'target', 'outsider'] as const) people[name] = await signUp(server);
    await server.stop();
    const setRole = (role: string, name: Name) =>
      inDatabaseOf(server, 'UPDATE users SET role = ? WHERE id = ?', role, people[name].userId);
    for (const name of ['guest', 'visitor'] as const) await setRole('guest', name);
    await setRole('admin', 'admin');
    await server.restart();
    const world = new AccessWorld(server, people);
    // A guest finds only those with whom they share a room.
    const shared = await world.#makeRoom('public', uniqueName('shared'));
    await world.#add(shared.id, 'outsider');
    await world.#add(shared.id, 'visitor');
    return world;
  }

  userId(name: Name): number {
    return this.#people[name].userId;
  }

  send(name: Name, path: string, options: RequestOptions = {}): Promise<HttpReply> {
    return send(this.server, `/api/v1${path}`, { ...options, token: this.#people[name].accessToken });
  }

  /** A new room of this kind with its people, or the one conversation of `member`, `visitor` and `target`. */
  async place(kind: Kind): Promise<Place> {
    if (kind === 'dm') return await this.#makeDm();
    const name = uniqueName('room');
    const room = await this.#makeRoom(kind.endsWith('private') ? 'private' : 'public', name);
    for (const person of ['member', 'moderator', 'visitor', 'target'] as const)
      await this.#add(room.id, person);
    await this.#as('owner', 'PUT', `/rooms/${room.id}/members/${this.userId('moderator')}`, {
      role: 'moderator',
    });
    const invite = await this.#as('owner', 'POST', `/rooms/${room.id}/invites`, {});
    const message = await this.#post(room.id);
    const file = await this.#postFile(room.id);
    if (kind.startsWith('archived'))
      await this.#as('owner', 'PATCH', `/rooms/${room.id}`, { archived: true });
    return {
      id: room.id,
      name,
      invite: invite as Place['invite'],
      message: async () => message,
      file: async () => file,
    };
  }

  /** The requests of the matrix, by their names there. */
  readonly requests: Record<string, Request> = {
    see: (person, { id }) => this.send(person, `/rooms/${id}`),
    history: (person, { id }) => this.send(person, `/rooms/${id}/messages`),
    'history with notices': (person, { id }) => this.send(person, `/rooms/${id}/messages?view=flow`),
    ticket: (person, { id }) => this.send(person, '/ws/tickets', json('POST', { room_id: id })),
    members: (person, { id }) => this.send(person, `/rooms/${id}/members`),
    join: (person, { id }) => this.send(person, `/rooms/${id}/members/me`, { method: 'PUT' }),
    leave: (person, { id }) => this.send(person, `/rooms/${id}/members/me`, { method: 'DELETE' }),
    'add somebody': (person, { id }) =>
      this.send(person, `/rooms/${id}/members/${this.userId('outsider')}`, { method: 'PUT' }),
    'make a member moderator': (person, { id }) =>
      this.send(person, `/rooms/${id}/members/${this.userId('target')}`, json('PUT', { role: 'moderator' })),
    'remove a member': (person, { id }) =>
      this.send(person, `/rooms/${id}/members/${this.userId('target')}`, { method: 'DELETE' }),
    'change the topic': (person, place) => this.#patch(person, place, { topic: 'new' }),
    rename: (person, place) => this.#patch(person, place, { name: uniqueName('renamed') }),
    'make private': (person, place) => this.#patch(person, place, { kind: 'private' }),
    archive: (person, place) => this.#patch(person, place, { archived: true }),
    delete: (person, { id }) => this.send(person, `/rooms/${id}`, { method: 'DELETE' }),
    'make default': (person, place) => this.#patch(person, place, { is_default: true }),
    star: (person, { id }) => this.send(person, `/rooms/${id}/prefs`, json('PUT', { starred: true })),
    hide: (person, { id }) => this.send(person, `/rooms/${id}/prefs`, json('PUT', { hidden: true })),
    invite: (person, { id }) => this.send(person, `/rooms/${id}/invites`, json('POST', {})),
    'list invitations': (person, { id }) => this.send(person, `/rooms/${id}/invites`),
    'revoke an invitation': (person, { id, invite }) =>
      this.send(person, `/rooms/${id}/invites/${invite.id}`, { method: 'DELETE' }),
    'accept an invitation': (person, { invite }) =>
      this.send(person, `/invites/${invite.code}/accept`, { method: 'POST' }),
    ...this.#messageRequests(),
    ...this.#moderationRequests(),
    ...this.#threadRequests(),
  };

  #messageRequests(): Record<string, Request> {
    const at =
      (end: string, options: RequestOptions = {}): Request =>
      async (person, { id, message }) =>
        await this.send(person, `/rooms/${id}/messages/${await message()}${end}`, options);
    const fox = `/reactions/${encodeURIComponent('🦊')}`;
    return {
      'read a message': at(''),
      'read its earlier texts': at('/revisions'),
      'read its reactions': at('/reactions'),
      'ask why it notified': at('/why'),
      'list what is pinned': (person, { id }) => this.send(person, `/rooms/${id}/pins`),
      react: at(fox, { method: 'PUT' }),
      'take a reaction back': at(fox, { method: 'DELETE' }),
      'upload a file': (person, { id }) =>
        this.send(person, `/rooms/${id}/files?name=a.txt`, { method: 'POST', body: 'text' }),
      'list the files': (person, { id }) => this.send(person, `/rooms/${id}/files`),
      'open a file': async (person, { file }) => {
        const { key } = await file();
        return await send(this.server, filePath(key, 'a'), { token: this.#people[person].accessToken });
      },
      'describe a file of somebody': async (person, { id, file }) => {
        const { key, messageId } = await file();
        return await this.send(
          person,
          `/rooms/${id}/messages/${messageId}/files/${key}`,
          json('PUT', { alt: 'x' }),
        );
      },
      'delete a file of somebody': async (person, { id, file }) => {
        const { key, messageId } = await file();
        return await this.send(person, `/rooms/${id}/messages/${messageId}/files/${key}`, {
          method: 'DELETE',
        });
      },
      pin: at('/pin', { method: 'PUT' }),
      unpin: at('/pin', { method: 'DELETE' }),
      save: at('/saved', { method: 'PUT' }),
      unsave: at('/saved', { method: 'DELETE' }),
      'edit a text of somebody': at('', json('PUT', { content: 'changed', base_revision: 0 })),
      'remove previews of somebody': at('/previews', { method: 'DELETE' }),
      'delete a text of somebody': at('', { method: 'DELETE' }),
    };
  }

  #moderationRequests(): Record<string, Request> {
    const onTarget =
      (path: string, method: string): Request =>
      (person, { id }) =>
        this.send(person, `/rooms/${id}/${path}/${this.userId('target')}`, { method });
    const list =
      (path: string): Request =>
      (person, { id }) =>
        this.send(person, `/rooms/${id}/${path}`);
    return {
      'mute a member': onTarget('mutes', 'PUT'),
      'lift a mute': onTarget('mutes', 'DELETE'),
      'ban a member': onTarget('bans', 'PUT'),
      'lift a ban': onTarget('bans', 'DELETE'),
      'see who is muted': list('restricted'),
      'read the reports': list('reports'),
      'read the audit log': list('audit'),
      'report a text': async (person, { id, message }) =>
        await this.send(
          person,
          `/rooms/${id}/messages/${await message()}/reports`,
          json('POST', { reason: 'spam' }),
        ),
    };
  }

  #threadRequests(): Record<string, Request> {
    const at =
      (end: string, options: RequestOptions = {}): Request =>
      async (person, { id, message }) =>
        await this.send(person, `/rooms/${id}/threads/${await message()}${end}`, options);
    return {
      'list the threads': (person, { id }) => this.send(person, `/rooms/${id}/threads`),
      'read a thread': at('/messages'),
      'resolve a thread': at('', json('PATCH', { resolved: true })),
      'follow a thread': at('/follow', { method: 'PUT' }),
      'unfollow a thread': at('/follow', { method: 'DELETE' }),
      'mark a thread read': at('/read', json('PUT', { seq: 1 })),
    };
  }

  /** A frame of the matrix, by its name there. */
  async frame(name: FrameName, person: PersonName, { id, message }: Place): Promise<FrameOutcome> {
    const login = this.#people[person];
    const ownRoom = () => this.#ownRoom(person);
    return await playFrame(name, {
      ...{ server: this.server, login, roomId: id, witness: this.#people.target, ownRoom, message },
    });
  }

  /** What each frame about a room is responded with. */
  responsesAbout(person: PersonName, roomId: number): Promise<string[]> {
    return responsesAbout(this.server, this.#people[person], roomId);
  }

  /** A room that this person is alone in. A guest makes none, so it is made by somebody who leaves it. */
  #ownRoom(person: PersonName): Promise<number> {
    const made = this.#ownRooms.get(person) ?? this.#makeOwnRoom(person);
    this.#ownRooms.set(person, made);
    return made;
  }

  async #makeOwnRoom(person: PersonName): Promise<number> {
    const { id } = await this.#makeRoom('private', uniqueName('own'));
    if (person === 'owner') return id;
    await this.#as('owner', 'PUT', `/rooms/${id}/members/${this.userId(person)}`, { role: 'owner' });
    await this.send('owner', `/rooms/${id}/members/me`, { method: 'DELETE' });
    return id;
  }

  async isAmongAll(person: PersonName, { id, name }: Place): Promise<boolean> {
    const whole = roomsResponse.parse((await this.send(person, '/rooms')).json);
    const reply = await this.send(person, `/rooms?q=${encodeURIComponent(name)}`);
    const found = roomsResponse.parse(reply.json).rooms.some((room) => room.id === id);
    // Both lists have it, or none.
    assert.equal(found, name !== '' && whole.rooms.some((room) => room.id === id));
    return found;
  }

  async isAmongOwn(person: PersonName, { id }: Place): Promise<boolean> {
    const { rooms } = myRoomsResponse.parse((await this.send(person, '/me/rooms')).json);
    return rooms.some(({ room }) => room.id === id);
  }

  async membersOf(person: PersonName, { id }: Place): Promise<number[]> {
    const { members } = membersResponse.parse((await this.send(person, `/rooms/${id}/members`)).json);
    return members.map(({ user_id }) => user_id);
  }

  /** Whom a text of this person, with a mention of each of these, mentions. */
  async mentionedBy(person: PersonName, { id: roomId }: Place, names: readonly Name[]): Promise<number[]> {
    const line = await LineClient.start(this.server, this.#people[person]);
    const content = names.map((name) => `@${this.#people[name].username}`).join(' ');
    const { id } = await line.post(roomId, content);
    await line.close();
    const reply = await this.send(person, `/rooms/${roomId}/messages/${id}`);
    return messageSchema.parse(reply.json).mentions ?? [];
  }

  #patch(person: PersonName, { id }: Place, patch: object): Promise<HttpReply> {
    return this.send(person, `/rooms/${id}`, json('PATCH', patch));
  }

  async #makeRoom(kind: 'public' | 'private', name: string): Promise<Room> {
    return (await this.#as('owner', 'POST', '/rooms', { name, kind })) as Room;
  }

  async #makeDm(): Promise<Place> {
    const userIds = [this.userId('visitor'), this.userId('target')];
    const dm = (await this.#as('member', 'POST', '/dms', { user_ids: userIds })) as Room;
    let message: Promise<number> | undefined;
    const post = () => {
      message ??= this.#post(dm.id);
      return message;
    };
    let file: ReturnType<Place['file']> | undefined;
    const postFile = () => {
      file ??= this.#postFile(dm.id);
      return file;
    };
    return { id: dm.id, name: '', invite: { id: 1, code: '' }, message: post, file: postFile };
  }

  async #postFile(roomId: number): Promise<{ key: string; messageId: number }> {
    const target = this.#people.target;
    const { key, messageId } = await sendOneFile(this.server, target, roomId, {
      name: 'a',
      bytes: Buffer.from('a'),
    });
    return { key, messageId };
  }

  async #post(roomId: number): Promise<number> {
    const line = await LineClient.start(this.server, this.#people.target);
    line.send({ type: 'message', room_id: roomId, content: 'a text', cid: 'first' });
    const { id } = await line.waitFor('ack');
    line.send({ type: 'message', room_id: roomId, content: 'a reply', cid: 'reply', thread_id: id });
    await line.waitFor('ack', ({ cid }) => cid === 'reply');
    await line.close();
    return id;
  }

  #add(roomId: number, person: Name): Promise<unknown> {
    return this.#as('owner', 'PUT', `/rooms/${roomId}/members/${this.userId(person)}`, {});
  }

  /** A request that must succeed. */
  async #as(person: Name, method: string, path: string, body: object): Promise<unknown> {
    const reply = await this.send(person, path, json(method, body));
    assert(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json;
  }
}

function json(method: string, body: object): RequestOptions {
  return { method, json: body };
}

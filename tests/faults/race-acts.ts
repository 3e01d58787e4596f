/** The acts of cluster-races.ts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tokensSchema } from '../../protocol/rest/accounts.ts';
import { createdInvite, invitesResponse } from '../../protocol/rest/rooms.ts';
import { roomSchema } from '../../protocol/rooms.ts';
import { expectReply } from '../support/expect-reply.ts';
import { type HttpReply, post, send, type Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { offering, tryUpgrade } from '../support/upgrade.ts';
import { issueTicket, type Login, logIn, PASSWORD, uniqueName } from '../support/users.ts';

/** Before access tokens expire, however slow the machine. */
const ROUNDS_PER_LOGIN = 50;

export interface RaceWorld {
  target: Target;
  /** One user for each attempt. */
  crowd: readonly Login[];
  /** Of the room `open`, which is public, and of `closed`, which is private. */
  owner: Login;
  /** All of the crowd own `shared`. */
  rooms: { open: number; closed: number; shared: number };
  /** Sockets of the owner, one at each process. */
  lines: readonly LineClient[];
}

interface Won {
  racer: Login;
  json: unknown;
}

export class Races {
  attempts = 0;
  readonly #kinds = new Set<string>();
  readonly #world: RaceWorld;
  /** The last user who was registered. */
  #newest: Login;
  #rounds = 0;

  constructor(world: RaceWorld) {
    this.#world = world;
    this.#newest = world.owner;
  }

  get kinds(): number {
    return this.#kinds.size;
  }

  async firstAdmin(code: string): Promise<void> {
    await this.#race('first admin', { won: 200, lost: 404 }, (racer) =>
      this.#ask(racer, 'POST', '/setup', { code }),
    );
  }

  /** One race of each other kind. */
  async round(): Promise<void> {
    if (++this.#rounds % ROUNDS_PER_LOGIN === 0) await this.#logInAgain();
    await this.#ticket();
    await this.#returnTicket();
    await this.#refreshToken();
    await this.#lastUse();
    await this.#roomName();
    await this.#message();
    const earlier = this.#newest;
    this.#newest = await this.#userName();
    await this.#conversation(earlier, this.#newest);
    await this.#join(this.#newest);
    await this.#lastOwner();
  }

  async #ticket(): Promise<void> {
    const { target, owner, rooms } = this.#world;
    const protocols = offering(await issueTicket(target, owner, rooms.open));
    await this.#race('ticket', { won: 101, lost: 401 }, () =>
      tryUpgrade(target, `/ws?room_id=${rooms.open}`, { protocols }),
    );
  }

  async #returnTicket(): Promise<void> {
    const { target, owner } = this.#world;
    const line = await LineClient.start(target, owner);
    await line.close();
    const protocols = ['chatroom.v2', `ticket.${line.hello.return_ticket?.ticket}`];
    await this.#race('return ticket', { won: 101, lost: 401 }, () =>
      tryUpgrade(target, '/ws', { protocols }),
    );
  }

  async #refreshToken(): Promise<void> {
    const { target, owner } = this.#world;
    const body = { refresh_token: owner.refreshToken };
    const { json } = await this.#race('refresh token', { won: 200, lost: 401 }, () =>
      post(target, '/api/v1/auth/refresh', body),
    );
    const tokens = tokensSchema.parse(json);
    owner.refreshToken = tokens.refresh_token;
    owner.accessToken = tokens.access_token;
  }

  async #lastUse(): Promise<void> {
    const { owner, rooms } = this.#world;
    const code = await this.#invite(1);
    const before = await this.#membersOf(rooms.closed);
    const { racer } = await this.#race('last use of an invitation', { won: 200, lost: 404 }, (user) =>
      this.#ask(user, 'POST', `/invites/${code}/accept`),
    );
    assert.equal(await this.#membersOf(rooms.closed), before + 1, 'members by one use');
    await this.#done(owner, 'DELETE', `/rooms/${rooms.closed}/members/${racer.userId}`);
  }

  async #roomName(): Promise<void> {
    const name = uniqueName('race');
    await this.#race('name of a room', { won: 201, lost: 409 }, (racer) =>
      this.#ask(racer, 'POST', '/rooms', { name }),
    );
  }

  /** One text under one `cid`, through a socket of each process. */
  async #message(): Promise<void> {
    const { lines, rooms } = this.#world;
    const cid = randomUUID();
    const acks = await Promise.all(lines.map((line) => line.post(rooms.open, 'once', cid)));
    this.#count('message', acks.length);
    assert.equal(acks.filter(({ duplicate }) => duplicate !== true).length, 1, JSON.stringify(acks));
    assert.equal(new Set(acks.map(({ id, seq }) => `${id} ${seq}`)).size, 1, JSON.stringify(acks));
  }

  /** Resolves with the user of the name. */
  async #userName(): Promise<Login> {
    const username = uniqueName('race');
    await this.#race('name of a user', { won: 201, lost: 409 }, () =>
      post(this.#world.target, '/api/v1/auth/register', { username, password: PASSWORD }),
    );
    return await logIn(this.#world.target, username);
  }

  /** Two users begin a conversation with each other. */
  async #conversation(one: Login, other: Login): Promise<void> {
    const made = new Set<number>();
    await this.#race('direct conversation', { won: 201, lost: 200 }, async (_, index) => {
      const [from, to] = index % 2 === 0 ? [one, other] : [other, one];
      const reply = await this.#ask(from, 'POST', '/dms', { user_ids: [to.userId] });
      if (reply.status < 300) made.add(roomSchema.parse(reply.json).id);
      return reply;
    });
    assert.equal(made.size, 1, 'conversations of two users');
  }

  /** One user joins by several requests: they are one member, and have used the invitation once. */
  async #join(user: Login): Promise<void> {
    const { owner, rooms, crowd } = this.#world;
    const paths = { invites: `/rooms/${rooms.closed}/invites`, members: `/rooms/${rooms.closed}/members` };
    const before = { open: await this.#membersOf(rooms.open), closed: await this.#membersOf(rooms.closed) };
    const code = await this.#invite(crowd.length);
    const replies = await Promise.all(
      crowd.flatMap(() => [
        this.#ask(user, 'POST', `/invites/${code}/accept`),
        this.#ask(user, 'PUT', `/rooms/${rooms.open}/members/me`),
      ]),
    );
    this.#count('join', replies.length);
    for (const { status, text } of replies) assert.equal(status, 200, text);
    assert.equal(await this.#membersOf(rooms.open), before.open + 1, 'members of the public room');
    assert.equal(await this.#membersOf(rooms.closed), before.closed + 1, 'members of the private room');
    const { invites } = expectReply(await this.#ask(owner, 'GET', paths.invites), 200, invitesResponse);
    assert.deepEqual(
      invites.map(({ uses }) => uses),
      [1],
      'uses by one user',
    );
    await this.#done(owner, 'DELETE', `${paths.invites}/${invites[0]?.id}`);
    await this.#done(owner, 'DELETE', `${paths.members}/${user.userId}`);
  }

  /** All owners leave a room: one of them has to stay, and gives it back to the others. */
  async #lastOwner(): Promise<void> {
    const { rooms, crowd } = this.#world;
    const path = `/rooms/${rooms.shared}/members`;
    const { racer } = await this.#race('last owner', { won: 409, lost: 204 }, (owner) =>
      this.#ask(owner, 'DELETE', `${path}/me`),
    );
    for (const { userId } of crowd) {
      if (userId !== racer.userId) await this.#done(racer, 'PUT', `${path}/${userId}`, { role: 'owner' });
    }
  }

  /** All at the same moment. One response must have the first status, all others the second. */
  async #race(
    kind: string,
    { won, lost }: { won: number; lost: number },
    attempt: (racer: Login, index: number) => Promise<HttpReply>,
  ): Promise<Won> {
    const { crowd } = this.#world;
    const replies = await Promise.all(crowd.map(attempt));
    this.#count(kind, replies.length);
    const winner = replies.findIndex(({ status }) => status === won);
    const statuses = replies.map((_, index) => (index === winner ? won : lost));
    const said = replies.map(({ status, text }) => `${status} ${text}`).join('\n');
    assert.deepEqual(
      replies.map(({ status }) => status),
      statuses,
      `${kind}:\n${said}`,
    );
    const racer = crowd[winner];
    assert(racer, `${kind}: nobody won\n${said}`);
    return { racer, json: replies[winner]?.json };
  }

  #count(kind: string, attempts: number): void {
    this.#kinds.add(kind);
    this.attempts += attempts;
  }

  async #invite(maxUses: number): Promise<string> {
    const { owner, rooms } = this.#world;
    const path = `/rooms/${rooms.closed}/invites`;
    return expectReply(await this.#ask(owner, 'POST', path, { max_uses: maxUses }), 201, createdInvite).code;
  }

  async #membersOf(roomId: number): Promise<number> {
    const reply = await this.#ask(this.#world.owner, 'GET', `/rooms/${roomId}`);
    return expectReply(reply, 200, roomSchema).members;
  }

  async #logInAgain(): Promise<void> {
    const { target, crowd } = this.#world;
    for (const racer of crowd) Object.assign(racer, await logIn(target, racer.username));
  }

  async #ask(login: Login, method: string, path: string, json?: unknown): Promise<HttpReply> {
    const options = { method, token: login.accessToken, ...(json === undefined ? {} : { json }) };
    return await send(this.#world.target, `/api/v1${path}`, options);
  }

  async #done(login: Login, method: string, path: string, json?: unknown): Promise<void> {
    const { status, text } = await this.#ask(login, method, path, json);
    assert(status >= 200 && status < 300, `${method} ${path}: ${status} ${text}`);
  }
}

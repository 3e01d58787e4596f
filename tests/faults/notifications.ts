/**
 * G17: no notification that is due is lost. The server is killed at any moment between the commit of a message and the
 * notifier that decides about it, again and again. In the end each person's inbox must have each entry that is due,
 * once, and the push service each notification at least once. What is due follows from the history alone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../protocol/events.ts';
import { inboxResponse } from '../../protocol/rest/notifications.ts';
import { pushKeyResponse } from '../../protocol/rest/push.ts';
import { roomSchema } from '../../protocol/rooms.ts';
import { PushService, type Subscriber } from '../../server/features/push/testing/push-service.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, readHistory, signUpCrowd } from '../support/users.ts';
import type { Finding } from './trial.ts';

const PEOPLE = 4;
/** The notifier collects for 100 ms; decisions and pushes take a few more. */
const LONGEST_WAIT_MS = 250;
const SETTLED_WITHIN_MS = 120_000;

export interface KillOptions {
  kills: number;
  /** Messages before each kill, at most. */
  messages: number;
}

interface Scene {
  server: ServerProcess;
  author: Login;
  people: readonly Login[];
  /** All are in it. */
  roomId: number;
  /** The author's direct conversation with the first of the people. */
  dmId: number;
}

export async function killBeforeConsumers(seed: number, options: KillOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using service = await PushService.start();
  await using server = await ServerProcess.start({
    env: { OUTGOING_ALLOW: service.allow, MESSAGES_PER_SECOND: '0', ACCESS_TOKEN_TTL_S: '86400' },
  });
  const scene = await furnish(server);
  const subscribers = await subscribe(scene, service);
  // A text of each person, which may be answered.
  const texts = new Map<number, number>();
  for (const person of scene.people) texts.set(person.userId, await postAs(scene, person, 'a text'));
  for (let kill = 0; kill < options.kills; kill++) {
    const line = await LineClient.start(server, scene.author);
    for (let left = random.integer(1, options.messages); left > 0; left--)
      await postSomething(line, { ...scene, random, texts }, `${kill} ${left}`);
    await sleep(random.integer(0, LONGEST_WAIT_MS));
    await server.kill();
    await line.closed;
    await server.restart();
  }
  return { figures: { kills: options.kills, ...(await compare(scene, subscribers)) } };
}

async function furnish(server: ServerProcess): Promise<Scene> {
  const [author, ...people] = await signUpCrowd(server, 1 + PEOPLE);
  const [first] = people;
  if (!author || !first) throw new Error('nobody is there');
  const { id: roomId } = await createRoom(server, author);
  for (const { userId } of people) await addMember(server, author, roomId, userId);
  const made = await post(server, '/api/v1/dms', { user_ids: [first.userId] }, { token: author.accessToken });
  return { server, author, people, roomId, dmId: roomSchema.parse(made.json).id };
}

async function subscribe({ server, people }: Scene, service: PushService): Promise<Map<number, Subscriber>> {
  const subscribers = new Map<number, Subscriber>();
  for (const { userId, accessToken: token } of people) {
    const { public_key } = expectReply(
      await send(server, '/api/v1/me/push/key', { token }),
      200,
      pushKeyResponse,
    );
    const subscriber = service.subscribe(public_key);
    const reply = await send(server, '/api/v1/me/push', {
      method: 'PUT',
      token,
      json: subscriber.subscription,
    });
    if (reply.status !== 204) throw new Error(`not subscribed: ${reply.text}`);
    subscribers.set(userId, subscriber);
  }
  return subscribers;
}

async function postAs({ server, roomId }: Scene, person: Login, content: string): Promise<number> {
  const line = await LineClient.start(server, person);
  const { id } = await line.post(roomId, content);
  await line.close();
  return id;
}

/** A plain text, a mention, a reply, a call of the whole room, or a direct message. */
async function postSomething(
  line: LineClient,
  { random, people, roomId, dmId, texts }: Scene & { random: Random; texts: Map<number, number> },
  unique: string,
): Promise<void> {
  const { username, userId } = people[random.integer(0, people.length - 1)] as Login;
  const kind = random.next();
  if (kind < 0.2) await line.post(roomId, `plain ${unique}`);
  else if (kind < 0.5) await line.post(roomId, `mention ${unique} @${username}`);
  else if (kind < 0.6) await line.post(roomId, `@room ${unique}`);
  else if (kind < 0.8) await line.post(dmId, `direct ${unique}`);
  else {
    const cid = `reply ${unique}`;
    const replyTo = texts.get(userId) ?? 0;
    line.send({ type: 'message', room_id: roomId, content: cid, cid, reply_to: replyTo });
    await line.waitFor('ack', (ack) => ack.cid === cid);
  }
}

/** What the history says is due to this person: ids of messages, by where they are due. */
function dueTo({ userId }: Login, { author }: Scene, texts: readonly Message[], dms: readonly Message[]) {
  const isFor = ({ user_id, mentions, reply_to, mention_room }: Message) =>
    user_id !== userId &&
    (mentions?.includes(userId) || reply_to?.user_id === userId || mention_room !== undefined);
  const listed = texts.filter(isFor).map(({ id }) => id);
  const direct = dms.filter(({ user_id }) => user_id === author.userId).map(({ id }) => id);
  return { listed, pushed: [...listed, ...direct] };
}

async function compare(scene: Scene, subscribers: ReadonlyMap<number, Subscriber>) {
  const { server, author, people, roomId, dmId } = scene;
  const texts = await readHistory(server, author, roomId);
  const dms = await readHistory(server, author, dmId);
  const figures = { messages: texts.length + dms.length, due: 0, 'pushed again': 0 };
  for (const [index, person] of people.entries()) {
    const { listed, pushed } = dueTo(person, scene, texts, index === 0 ? dms : []);
    const received = subscribers.get(person.userId)?.received ?? [];
    const ids = () => received.map(({ payload }) => payload.message_id ?? 0);
    const missing = () => pushed.filter((id) => !ids().includes(id));
    await eventually('all pushes', () => missing().length === 0 || undefined, SETTLED_WITHIN_MS).catch(() => {
      throw new Error(`never pushed to ${person.username}: ${missing()}`);
    });
    const inbox = (await readInbox(scene, person)).toSorted((one, other) => one - other);
    if (inbox.join() !== listed.join())
      throw new Error(`${person.username} has ${inbox} in the inbox, and ${listed} is due`);
    const undue = ids().filter((id) => !pushed.includes(id));
    if (undue.length > 0) throw new Error(`pushed to ${person.username}, and not due: ${undue}`);
    figures.due += pushed.length;
    figures['pushed again'] += ids().length - new Set(ids()).size;
  }
  return figures;
}

async function readInbox({ server }: Scene, { accessToken: token }: Login): Promise<number[]> {
  const ids: number[] = [];
  for (let query = ''; ; ) {
    const reply = await send(server, `/api/v1/me/inbox?limit=100${query}`, { token });
    const { entries, has_more } = expectReply(reply, 200, inboxResponse);
    ids.push(...entries.filter(({ reason }) => reason !== 'invite').map(({ message }) => message.id));
    const last = ids.at(-1);
    if (!has_more || last === undefined) return ids;
    query = `&before_id=${last}`;
  }
}

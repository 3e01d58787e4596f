/** A room in which people have done everything that can be done with messages. */
import { randomUUID } from 'node:crypto';
import { PASSWORD } from '../../../demo/seed.ts';
import { send } from '../../support/http.ts';
import { RoomLine } from '../../support/room-line.ts';
import { createRoom, type Login, logIn } from '../../support/users.ts';
import { ME, NOW } from './script.ts';
import type { World } from './world.ts';

export const LAUNCH = 'Launch page';
const PEOPLE = ['Ines Moreau', 'Jonas Weber', 'Noor Haddad', 'Tomás Ferreira', 'Aiko Tanaka'] as const;
type Who = typeof ME | (typeof PEOPLE)[number];

export interface Launch {
  readonly path: string;
  readonly roomId: number;
  /** Of the message that a thread is about. */
  readonly threadId: number;
  /** Somebody says something; returns the id of the message. */
  say(who: Who, at: string, content: string, answer?: Answer): Promise<number>;
  /** A request below the room, as this person. */
  ask(who: Who, method: string, path: string, json?: unknown): Promise<void>;
}

interface Answer {
  readonly reply_to?: number;
  readonly thread_id?: number;
}

const rooms = new WeakMap<World, Promise<Launch>>();

/** Built once in each world. */
export function launchRoom(world: World): Promise<Launch> {
  const built = rooms.get(world) ?? build(world);
  rooms.set(world, built);
  return built;
}

async function build(world: World): Promise<Launch> {
  const { server } = world;
  const logins = new Map<Who, Login>([[ME, world.me]]);
  for (const name of PEOPLE) logins.set(name, await logIn(server, name, PASSWORD));
  // A message is never older than its room.
  await world.turnTo('2026-11-19T09:00:00Z');
  const room = await createRoom(server, loginOf('Ines Moreau'), LAUNCH);
  const lines = new Map<Who, RoomLine>();
  for (const [who, login] of logins) {
    await ask(who, 'PUT', '/members/me');
    lines.set(who, await RoomLine.enter(server, login, room.id, { isInSight: who !== ME }));
  }

  function loginOf(who: Who): Login {
    const login = logins.get(who);
    if (login === undefined) throw new Error(`${who} is not in the room`);
    return login;
  }

  async function ask(who: Who, method: string, path: string, json?: unknown): Promise<void> {
    const target = `/api/v1/rooms/${room.id}${path}`;
    const reply = await send(server, target, { method, token: loginOf(who).accessToken, json });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  }

  async function say(who: Who, at: string, content: string, answer: Answer = {}): Promise<number> {
    await world.turnTo(`2026-11-19T${at}:00Z`);
    const line = lines.get(who);
    if (line === undefined) throw new Error(`${who} is not in the room`);
    const cid = randomUUID();
    const from = line.mark();
    line.send({ type: 'message', room_id: room.id, content, cid, ...answer });
    return (await line.waitFor('ack', (ack) => ack.cid === cid, from)).id;
  }

  const threadId = await talk(say, ask);
  await read(lines.get(ME), room.id);
  await world.turnTo(NOW);
  return { path: `/rooms/${room.id}`, roomId: room.id, threadId, say, ask };
}

/** The user has read all that was said in the room itself. */
async function read(line: RoomLine | undefined, roomId: number): Promise<void> {
  const last = line?.events.at(-1)?.seq;
  if (line === undefined || last === undefined) throw new Error('nothing was said');
  const membership = line.of('me').at(-1)?.me;
  line.send({ type: 'read', room_id: roomId, seq: last, known: membership?.read_set ?? 0 });
  await line.waitFor('me', ({ room_id, me: now }) => room_id === roomId && now.read_seq === last);
  await line.close();
}

/** What was said and done; returns the message that the thread is about. */
async function talk(say: Launch['say'], ask: Launch['ask']): Promise<number> {
  await ask('Ines Moreau', 'PATCH', '', { topic: 'Goes live with 2.4, Thursday 15:00', emoji: '🛫' });
  const react = (id: number, emoji: string, people: readonly Who[]) =>
    Promise.all(
      people.map((who) => ask(who, 'PUT', `/messages/${id}/reactions/${encodeURIComponent(emoji)}`)),
    );

  const review = await say(
    'Ines Moreau',
    '09:12',
    'The launch page is up for review: https://staging.example.org/launch. Copy by Noor, pictures by Tomás.',
  );
  await ask('Ines Moreau', 'PUT', `/messages/${review}/pin`);
  await ask(ME, 'PUT', `/messages/${review}/saved`);
  await react(review, '👍', [ME, 'Jonas Weber', 'Aiko Tanaka']);
  await react(review, '🎉', ['Jonas Weber', 'Tomás Ferreira']);
  await react(review, '👀', ['Aiko Tanaka']);

  const edited = await say('Noor Haddad', '09:20', 'I shortened the headline to four words.');
  const texts = ['I shortened the headline to five words.', 'I shortened the headline to five plain words.'];
  for (const [base, content] of texts.entries())
    await ask('Noor Haddad', 'PUT', `/messages/${edited}`, { content, base_revision: base });

  const mine = await say(ME, '09:24', 'Should the price stand above the fold, or below the pictures?');
  await say('Tomás Ferreira', '09:26', 'Above. People look for it first, then at the pictures.', {
    reply_to: mine,
  });
  const gone = await say('Tomás Ferreira', '09:27', 'Wrong room, sorry.');
  await ask('Tomás Ferreira', 'DELETE', `/messages/${gone}`);

  const root = await say('Jonas Weber', '09:40', 'Where do we send people who want to know if it is up?');
  const answers: readonly [Who, string][] = [
    ['Tomás Ferreira', 'To status.example.org, which runs on other machines.'],
    [ME, 'Does it have our colours yet?'],
    ['Tomás Ferreira', 'Since Monday. The certificate is renewed by itself, too.'],
    ['Aiko Tanaka', 'I added the soak test to it, so that there is something to see on the first day.'],
  ];
  for (const [index, [who, content]] of answers.entries())
    await say(who, `09:4${index + 1}`, content, { thread_id: root });
  await ask('Jonas Weber', 'PATCH', `/threads/${root}`, { title: 'Status page' });
  const second = await say(
    'Noor Haddad',
    '09:50',
    'Who answers the first support mails on Thursday evening?',
  );
  await say('Ines Moreau', '09:52', 'I do, until ten.', { thread_id: second });
  await ask('Noor Haddad', 'PATCH', `/threads/${second}`, { resolved: true });

  const liked = await say(
    'Aiko Tanaka',
    '10:02',
    'The page loads in 0.6 s on the old phone from the drawer.',
  );
  for (const emoji of ['🚀', '🎉', '❤️', '😮', '🙌', '💯', '🔥', '👏', '🥳', '⚡', '📱', '🐢'])
    await react(liked, emoji, emoji === '🚀' ? [ME, ...PEOPLE] : ['Ines Moreau', 'Jonas Weber']);
  await ask(ME, 'PUT', `/messages/${liked}/saved`);

  await say('Jonas Weber', '10:12', `@"${ME}" may I switch the domain over at 14:30?`);
  await say(ME, '10:15', 'Yes, and tell us here when it is done.');
  return root;
}

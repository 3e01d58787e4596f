/** A room in which people have done everything that can be done with messages. */
import { PASSWORD } from '../../../demo/seed.ts';
import type { RoomLine } from '../../support/room-line.ts';
import { createRoom, logIn } from '../../support/users.ts';
import { ME, NOW } from './script.ts';
import { Talkers } from './talkers.ts';
import type { World } from './world.ts';

export const LAUNCH = 'Launch page';
const PEOPLE = ['Ines Moreau', 'Jonas Weber', 'Noor Haddad', 'Tomás Ferreira', 'Aiko Tanaka'];

export interface Launch {
  readonly path: string;
  readonly talkers: Talkers;
  /** Of the message that a thread is about. */
  readonly threadId: number;
}

const rooms = new WeakMap<World, Promise<Launch>>();

/** Built once in each world. */
export function launchRoom(world: World): Promise<Launch> {
  const built = rooms.get(world) ?? build(world);
  rooms.set(world, built);
  return built;
}

async function build(world: World): Promise<Launch> {
  // A message is never older than its room.
  await world.turnTo('2026-11-19T09:00:00Z');
  const ines = await logIn(world.server, 'Ines Moreau', PASSWORD);
  const { id } = await createRoom(world.server, ines, LAUNCH);
  const talkers = await Talkers.join(world, id, [ME, ...PEOPLE]);
  const threadId = await talk(talkers);
  await readAll(talkers.line(ME), id);
  await world.turnTo(NOW);
  return { path: `/rooms/${id}`, talkers, threadId };
}

/** The user has read all that was said in the room itself. */
async function readAll(line: RoomLine, roomId: number): Promise<void> {
  const last = line.events.at(-1)?.seq;
  if (last === undefined) throw new Error('nothing was said');
  const membership = line.of('me').at(-1)?.me;
  line.send({ type: 'read', room_id: roomId, seq: last, known: membership?.read_set ?? 0 });
  await line.waitFor('me', ({ room_id, me: now }) => room_id === roomId && now.read_seq === last);
}

/** What was said and done; returns the message that the thread is about. */
async function talk(talkers: Talkers): Promise<number> {
  await talkers.ask('Ines Moreau', 'PATCH', '', { topic: 'Goes live with 2.4, Thursday 15:00', emoji: '🛫' });

  const review = await talkers.say(
    'Ines Moreau',
    '09:12',
    'The launch page is up for review: https://staging.example.org/launch. Copy by Noor, pictures by Tomás.',
  );
  await talkers.ask('Ines Moreau', 'PUT', `/messages/${review}/pin`);
  await talkers.ask(ME, 'PUT', `/messages/${review}/saved`);
  await talkers.react(review, '👍', [ME, 'Jonas Weber', 'Aiko Tanaka']);
  await talkers.react(review, '🎉', ['Jonas Weber', 'Tomás Ferreira']);
  await talkers.react(review, '👀', ['Aiko Tanaka']);

  const edited = await talkers.say('Noor Haddad', '09:20', 'I shortened the headline to four words.');
  const texts = ['I shortened the headline to five words.', 'I shortened the headline to five plain words.'];
  for (const [base, content] of texts.entries())
    await talkers.ask('Noor Haddad', 'PUT', `/messages/${edited}`, { content, base_revision: base });

  const mine = await talkers.say(
    ME,
    '09:24',
    'Should the price stand above the fold, or below the pictures?',
  );
  await talkers.say('Tomás Ferreira', '09:26', 'Above. People look for it first, then at the pictures.', {
    reply_to: mine,
  });
  const gone = await talkers.say('Tomás Ferreira', '09:27', 'Wrong room, sorry.');
  await talkers.ask('Tomás Ferreira', 'DELETE', `/messages/${gone}`);

  const root = await talkers.say(
    'Jonas Weber',
    '09:40',
    'Where do we send people who want to know if it is up?',
  );
  const answers: readonly (readonly [string, string])[] = [
    ['Tomás Ferreira', 'To status.example.org, which runs on other machines.'],
    [ME, 'Does it have our colours yet?'],
    ['Tomás Ferreira', 'Since Monday. The certificate is renewed by itself, too.'],
    ['Aiko Tanaka', 'I added the soak test to it, so that there is something to see on the first day.'],
  ];
  for (const [index, [who, content]] of answers.entries())
    await talkers.say(who, `09:4${index + 1}`, content, { thread_id: root });
  await talkers.ask('Jonas Weber', 'PATCH', `/threads/${root}`, { title: 'Status page' });
  const second = await talkers.say(
    'Noor Haddad',
    '09:50',
    'Who answers the first support mails on Thursday evening?',
  );
  await talkers.say('Ines Moreau', '09:52', 'I do, until ten.', { thread_id: second });
  await talkers.ask('Noor Haddad', 'PATCH', `/threads/${second}`, { resolved: true });

  const liked = await talkers.say(
    'Aiko Tanaka',
    '10:02',
    'The page loads in 0.6 s on the old phone from the drawer.',
  );
  for (const emoji of ['🚀', '🎉', '❤️', '😮', '🙌', '💯', '🔥', '👏', '🥳', '⚡', '📱', '🐢'])
    await talkers.react(liked, emoji, emoji === '🚀' ? [ME, ...PEOPLE] : ['Ines Moreau', 'Jonas Weber']);
  await talkers.ask(ME, 'PUT', `/messages/${liked}/saved`);

  await talkers.say('Jonas Weber', '10:12', `@"${ME}" may I switch the domain over at 14:30?`);
  await talkers.say(ME, '10:15', 'Yes, and tell us here when it is done.');
  return root;
}

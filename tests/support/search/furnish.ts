/** People, rooms and messages for the trials of the search: every sentence of the corpus, and others made of its words. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from '../../../protocol/media/testing/samples.ts';
import { inDatabaseOf } from '../database.ts';
import type { Random } from '../random.ts';
import type { ServerProcess } from '../server-process.ts';
import { CORPUS } from './corpus.ts';
import type { SearchMessage, SearchPerson, SearchRoom } from './naive-search.ts';
import { ownerOf, type SearchStage } from './stage.ts';

/** Each sentence of the corpus is here once, and nothing else. */
export const LANGUAGES = 'languages';
const HOURS_BETWEEN = 13;
const HOUR_MS = 3_600_000;
const EMOJI = ['👍', '🦊', '🎉'];

export interface Furnishing {
  /** Besides the sentences of the corpus. */
  messages: number;
}

/** The last ones were written half a day ago. */
export async function furnish(stage: SearchStage, random: Random, { messages }: Furnishing): Promise<void> {
  const people: SearchPerson[] = [];
  for (const name of ['ann', 'bo', 'cem', 'dia', 'eva', 'fay']) people.push(await stage.signUp(name));
  const [ann, bo, cem, dia, eva, fay] = people as [
    SearchPerson,
    SearchPerson,
    SearchPerson,
    ...SearchPerson[],
  ];
  const some = (...of: (SearchPerson | undefined)[]) => of.filter((person) => person !== undefined);
  await stage.makeRoom(LANGUAGES, 'public', people);
  await stage.makeRoom('project x', 'public', some(ann, bo, cem));
  await stage.makeRoom('Library', 'public', some(ann, eva, dia));
  await stage.makeRoom('vault', 'private', some(ann, bo, dia, fay));
  await stage.makeRoom('attic', 'private', some(ann, cem, eva));
  await stage.makeRoom('', 'dm', some(ann, bo));
  await stage.makeRoom('', 'dm', some(bo, dia));
  await stage.makeRoom('', 'dm', some(ann, bo, cem));
  const [languages, ...others] = stage.rooms;
  for (const [index, sentence] of [...CORPUS.values()].entries())
    await stage.post(languages as SearchRoom, people[index % people.length] as SearchPerson, sentence);
  for (let count = 0; count < messages; count++) await postOne(stage, random, pick(random, others));
  for (const [index, file] of FILES.entries()) {
    const room = pick(random, others);
    await stage.postFile(room, ownerOf(room), index % 2 === 0 ? `a file, w${index}w` : '', {
      ...file,
      bytes: file.kind === 'picture' ? PNG : new TextEncoder().encode(file.name.repeat(50)),
    });
  }
  await spreadOverTime(stage);
  await changeSome(
    stage,
    random,
    stage.messages.filter(({ room }) => room !== languages),
  );
  if (cem) await stage.block(bo, cem, true);
}

const FILES = [
  { name: 'Rechnung_März_2026.pdf', alt: '', kind: 'other' },
  { name: 'IMG-4711.png', alt: 'Der Eingang der Krankenversicherung', kind: 'picture' },
  { name: '请求书-今天.png', alt: '발표 자료', kind: 'picture' },
  { name: 'meeting notes final (2).txt', alt: '', kind: 'other' },
  { name: 'cafe\u0301-menu.png', alt: 'le menu du café', kind: 'picture' },
] as const;

export function pick<T>(random: Random, all: readonly T[]): T {
  const found = all[random.integer(0, all.length - 1)];
  if (found === undefined) throw new Error('there is nothing to choose');
  return found;
}

/** A text of words of the corpus, with one word that no other message has. One of five is a reply in a thread. */
export async function postOne(
  stage: SearchStage,
  random: Random,
  room: SearchRoom,
  more = '',
): Promise<SearchMessage> {
  const author = pick(random, [...room.members]);
  const roots = stage.messages.filter(
    (message) => message.room === room && message.root === null && !message.isDeleted,
  );
  const root = random.next() < 0.2 && roots.length > 0 ? pick(random, roots) : null;
  return await stage.post(room, author, `${textOf(random, stage.messages.length)}${more}`, root);
}

/** Rooms in which nothing is refused: in a direct conversation nobody blocks another one. */
export function openRooms({ rooms }: SearchStage): SearchRoom[] {
  return rooms.filter(({ kind, members }) => {
    const people = [...members];
    return kind !== 'dm' || people.every(({ blocked }) => people.every((person) => !blocked.has(person)));
  });
}

/** The word that this message alone has. */
export function ownWord(key: number): string {
  return `w${key}w`;
}

export function textOf(random: Random, key: number): string {
  const words = Array.from({ length: random.integer(1, 9) }, () => wordOf(random));
  if (random.next() < 0.1) words.push(`https://example.org/${key}?q=${random.integer(1, 99)}`);
  return `${words.join(' ')} ${ownWord(key)}`;
}

function wordOf(random: Random): string {
  const sentence = pick(random, [...CORPUS.values()]);
  const word = pick(
    random,
    sentence.split(/\s+/u).filter((each) => each !== ''),
  );
  const characters = [...word];
  return characters.length > 12 && /[^\p{Script=Latin}]/u.test(word)
    ? characters.slice(0, random.integer(2, 8)).join('')
    : word;
}

/** As if one had been written each half day, at all hours. */
async function spreadOverTime(stage: SearchStage): Promise<void> {
  const [server] = stage.servers;
  if (!server) return;
  await stage.forgetLines();
  await Promise.all(stage.servers.map((each) => each.stop()));
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  for (const message of stage.messages) {
    message.at = now - (stage.messages.length - message.key) * HOURS_BETWEEN * HOUR_MS;
    const id = stage.idOf(message);
    await inDatabaseOf(server, 'UPDATE messages SET created_at = ? WHERE id = ?', message.at, id);
  }
  await forgetIndex(server);
  await Promise.all(stage.servers.map((each) => each.restart()));
}

/** What was written until now is in the index by a build, what is written from now on by its consumer. */
async function forgetIndex(server: ServerProcess): Promise<void> {
  if (server.databaseUrl !== undefined) await inDatabaseOf(server, 'DELETE FROM search_state');
  else
    for (const end of ['', '-wal', '-shm'])
      await rm(join(server.dataDir, 'data', `search.db${end}`), { force: true });
}

/** Some are edited, deleted, pinned, saved, or have reactions. */
async function changeSome(
  stage: SearchStage,
  random: Random,
  messages: readonly SearchMessage[],
): Promise<void> {
  for (const message of messages) {
    const chance = random.next();
    if (chance < 0.06) await stage.delete(message);
    else if (chance < 0.14 && message.files.length === 0)
      await stage.edit(message, `${textOf(random, message.key)} e${message.key}e`);
    else if (chance < 0.18) await stage.pin(message, true);
    else if (chance < 0.26) await stage.save(message, pick(random, [...message.room.members]), true);
    else if (chance < 0.34) await stage.react(message, pick(random, EMOJI));
  }
}

export const emojis = EMOJI;

/** Rooms that people other than the owner may leave. */
export function looseRooms({ rooms }: SearchStage): SearchRoom[] {
  return rooms.filter(({ kind, name }) => kind !== 'dm' && name !== LANGUAGES);
}

/** A member of the room who is not its owner. */
export function guestOf(random: Random, room: SearchRoom): SearchPerson | undefined {
  const others = [...room.members].filter((person) => person !== ownerOf(room));
  return others.length === 0 ? undefined : pick(random, others);
}

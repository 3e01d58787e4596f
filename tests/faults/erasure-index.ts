/**
 * G16 beside the index of the search: texts are posted, edited and deleted at a server, and all files of its data folder
 * are searched for them. The index has the words of a text, and long ones backwards, too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';

const PATIENCE_MS = 120_000;
const INDEXED_WITHIN_MS = 60_000;
/** Between letters that no other text has: the index leaves out how a word begins where the word before it does, too. */
const FORWARDS = /kvj([0-9]{6})x([0-9]{2})wqz/g;
const BACKWARDS = /zqw([0-9]{2})x([0-9]{6})jvk/g;

export interface IndexErasure {
  /** Texts that were deleted, and earlier ones. */
  deleted: number;
  /** Those of them that are still in a file. */
  left: string[];
  /** From the last deletion until nothing was left. */
  seconds: number;
}

interface Text {
  id: number;
  marks: string[];
}

/** Edits and deletes some of so many messages, then waits until the files have nothing of them. */
export async function eraseFromIndex(seed: number, messages: number): Promise<IndexErasure> {
  const random = seededRandom(seed);
  await using server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const ann = await signUp(server);
  const room = await createRoom(server, ann);
  const line = await LineClient.start(server, ann);
  const change = async ({ id }: Text, method: 'PUT' | 'DELETE', json?: object) => {
    const path = `/api/v1/rooms/${room.id}/messages/${id}`;
    const { status } = await send(server, path, { method, token: ann.accessToken, ...(json && { json }) });
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  };
  const texts: Text[] = [];
  const gone = new Set<string>();
  for (let number = 0; number < messages; number++) {
    const first = markOf(number, 0);
    texts.push({ id: (await line.post(room.id, textOf(random, first))).id, marks: [first] });
    const text = texts[random.integer(0, texts.length - 1)] as Text;
    const chance = random.next();
    const next = markOf(Number(text.marks[0]?.slice(3, 9)), text.marks.length);
    if (chance < 0.4 && text.marks.length < 99) {
      await change(text, 'PUT', { content: textOf(random, next), base_revision: text.marks.length - 1 });
      text.marks.push(next);
    } else if (chance < 0.65) {
      await change(text, 'DELETE');
      texts.splice(texts.indexOf(text), 1);
      for (const mark of text.marks) gone.add(mark);
    }
  }
  await line.close();
  // Earlier texts are in the database, and not in the index.
  const kept = texts.map(({ marks }) => marks.at(-1) ?? '');
  await eventually(
    'the index has the texts that were kept',
    () => {
      const marks = marksIn(server.dataDir, /^search\.db/);
      return kept.every((mark) => marks.has(mark)) || undefined;
    },
    INDEXED_WITHIN_MS,
  );
  const began = performance.now();
  const left = () => {
    const all = marksIn(server.dataDir, /./);
    const indexed = marksIn(server.dataDir, /^search\.db/);
    const earlier = texts.flatMap(({ marks }) => marks.slice(0, -1)).filter((mark) => indexed.has(mark));
    return [...[...gone].filter((mark) => all.has(mark)), ...earlier];
  };
  while (left().length > 0 && performance.now() - began < PATIENCE_MS) await sleep(200);
  const seconds = (performance.now() - began) / 1000;
  return { deleted: gone.size, left: left(), seconds };
}

/** The only word of the text that matters. */
function markOf(message: number, revision: number): string {
  return `kvj${String(message).padStart(6, '0')}x${String(revision).padStart(2, '0')}wqz`;
}

function textOf(random: Random, mark: string): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => random.integer(10, 35).toString(36)).join('');
  const others = Array.from({ length: random.integer(0, 30) }, () => letters(random.integer(2, 12)));
  return [...others, `${letters(8)}${mark}${letters(8)}`].join(' ');
}

/** The marks in the files of the data folder with such a name. */
function marksIn(dataDir: string, name: RegExp): Set<string> {
  const marks = new Set<string>();
  for (const file of readdirSync(join(dataDir, 'data'), { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !name.test(file.name)) continue;
    const bytes = readFileSync(join(file.parentPath, file.name), 'latin1');
    for (const [mark] of bytes.matchAll(FORWARDS)) marks.add(mark);
    for (const [mark] of bytes.matchAll(BACKWARDS)) marks.add([...mark].reverse().join(''));
  }
  return marks;
}

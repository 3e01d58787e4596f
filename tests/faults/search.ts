/**
 * G21: search finds all that one may read, and nothing else. On each database the same things happen: people post in
 * fourteen languages, edit, delete, leave, are removed and banned, block each other, while the server is killed. A naive
 * scan says what each query must find: nothing more at any moment, all of it soon after the last answer. In the end both
 * databases must have found the same messages, with the same words marked.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '../support/random.ts';
import { CORPUS } from '../support/search/corpus.ts';
import { EXPECTED } from '../support/search/expected.ts';
import {
  emojis,
  furnish,
  guestOf,
  LANGUAGES,
  looseRooms,
  openRooms,
  ownWord,
  pick,
  postOne,
  textOf,
} from '../support/search/furnish.ts';
import { drawQuery, fitting } from '../support/search/generated.ts';
import { type SearchMessage, type SearchPerson, searchNaively } from '../support/search/naive-search.ts';
import { ownerOf, SearchStage } from '../support/search/stage.ts';
import {
  describe,
  expectNoExtra,
  expectSame,
  type SearchAsked,
  type Walked,
} from '../support/search/walk.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Finding } from './trial.ts';

export interface SearchOptions {
  /** Besides the sentences of the corpus. */
  messages: number;
  /** By chance; those with results worked out by hand come on top. */
  queries: number;
  /** Spans of posting and changing, after each of which everything must be found. */
  rounds: number;
  /** Acts of a round. */
  acts: number;
  /** A round in so many ends with kill -9. */
  killEvery: number;
  /** How long after the last answer, or after a start, all is to be found. */
  patienceMs: number;
}

/** Where a trial runs: one process, or several that share a database. */
export interface SearchGround extends AsyncDisposable {
  name: string;
  servers: readonly ServerProcess[];
}

/** The same trial on each of these; both must find the same. */
export async function searchOn(
  seed: number,
  options: SearchOptions,
  grounds: readonly (() => Promise<SearchGround>)[],
): Promise<Finding> {
  const figures: Record<string, number> = {};
  const answers: Answer[][] = [];
  for (const start of grounds) {
    await using ground = await start();
    const trial = new Trial(new SearchStage(ground.servers), seededRandom(seed), options);
    await trial.run();
    answers.push(trial.answers);
    for (const [name, value] of Object.entries(trial.figures)) figures[`${ground.name}: ${name}`] = value;
  }
  const [first = [], ...others] = answers;
  for (const other of others)
    for (const [index, answer] of first.entries()) assert.deepEqual(other[index], answer);
  return { figures: { ...figures, queries: first.length } };
}

interface Answer {
  asked: string;
  keys: number[];
  hits: string[];
}

class Trial {
  readonly answers: Answer[] = [];
  readonly figures = {
    ...{ messages: 0, 'by chance': 0, results: 0, pages: 0, partial: 0 },
    ...{ kills: 0, 'acts checked': 0, 'slowest ms': 0 },
  };
  readonly #stage: SearchStage;
  readonly #random: Random;
  readonly #options: SearchOptions;
  #lastChange = performance.now();

  constructor(stage: SearchStage, random: Random, options: SearchOptions) {
    this.#stage = stage;
    this.#random = random;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { messages, queries, rounds, killEvery } = this.#options;
    await furnish(this.#stage, this.#random, { messages });
    this.#lastChange = performance.now();
    await this.#askByHand();
    for (let round = 1; round <= rounds; round++) {
      for (let count = 0; count < Math.floor(queries / (rounds + 1)); count++) await this.#askByChance();
      await this.#playRound(round, round % killEvery === 0);
    }
    while (this.figures['by chance'] < queries) await this.#askByChance();
    this.figures.messages = this.#stage.messages.length;
  }

  /** By somebody who blocks nobody, in the room of the corpus: what was worked out by hand, and what the oracle says. */
  async #askByHand(): Promise<void> {
    const reader = this.#stage.people.at(-1) as SearchPerson;
    const names = [...CORPUS.keys()];
    for (const [typed, expected] of EXPECTED) {
      const asked = { reader, typed: `${typed} in:${LANGUAGES}`, timeZone: 'UTC', limit: 7 };
      const { keys } = await this.#ask(asked);
      const found = keys.map((key) => names[key]).sort();
      assert.deepEqual(found, expected.split(' ').filter(Boolean).sort(), describe(asked));
    }
  }

  async #askByChance(): Promise<void> {
    this.figures['by chance']++;
    const asked = drawQuery(this.#random, this.#stage);
    const { messages } = this.#stage;
    await this.#ask(fitting(asked, searchNaively({ messages, ...asked, now: Date.now() }).length));
  }

  async #ask(asked: SearchAsked): Promise<Walked> {
    const walked = await expectSame(this.#stage, asked, this.#lastChange + this.#options.patienceMs);
    this.answers.push({ asked: describe(asked), keys: walked.keys, hits: walked.hits });
    this.figures.results += walked.keys.length;
    this.figures.pages += walked.pages;
    this.figures.partial += walked.partial;
    return walked;
  }

  /** Acts, a kill at times, and then everybody finds the texts of this round. */
  async #playRound(round: number, isKilled: boolean): Promise<void> {
    const [stage, random] = [this.#stage, this.#random];
    const word = `round${round}r`;
    for (let act = 0; act < this.#options.acts; act++) await this.#act(` ${word}`);
    this.#lastChange = performance.now();
    const killed = isKilled ? pick(random, stage.servers) : undefined;
    if (killed) {
      await sleep(random.integer(0, 300));
      await stage.kill(killed);
      this.figures.kills++;
    }
    // Another process goes on with its work, if there is one.
    const isAlone = stage.servers.length === 1;
    if (killed && isAlone) {
      await killed.restart();
      this.#lastChange = performance.now();
    }
    for (const reader of stage.people) await this.#ask({ reader, typed: word, timeZone: 'UTC', limit: 50 });
    const slowest = Math.round(performance.now() - this.#lastChange);
    this.figures['slowest ms'] = Math.max(this.figures['slowest ms'], slowest);
    if (killed && !isAlone) await killed.restart();
  }

  /** From its answer on nobody finds what is gone. */
  async #act(word: string): Promise<void> {
    const [stage, random] = [this.#stage, this.#random];
    const chance = random.next();
    if (chance < 0.5) return void (await postOne(stage, random, pick(random, openRooms(stage)), word));
    if (chance < 0.78) {
      const rooms = openRooms(stage).filter(({ name }) => name !== LANGUAGES);
      const left = stage.messages.filter(({ isDeleted, room }) => !isDeleted && rooms.includes(room));
      return await this.#change(pick(random, left), word);
    }
    if (chance < 0.92) return await this.#move(chance);
    const [reader, other] = [pick(random, stage.people), pick(random, stage.people)];
    if (reader === other) return;
    await stage.block(reader, other, !reader.blocked.has(other));
    await this.#expectNoExtra(reader, `from:${other.name}`);
  }

  async #change(message: SearchMessage, word: string): Promise<void> {
    const [stage, random] = [this.#stage, this.#random];
    const { room, author, key, content } = message;
    const isWriting = room.members.has(author) && message.files.length === 0;
    const chance = random.next();
    if (chance < 0.25 && isWriting) {
      const [earlier = ''] = content.split(' ');
      await stage.edit(message, `${textOf(random, key)} e${random.integer(1, 999)}e${word}`);
      await this.#expectNoExtra(pick(random, [...room.members]), earlier);
    } else if (chance < 0.55 && room.members.has(author)) {
      await stage.delete(message);
      for (const reader of stage.people) await this.#expectNoExtra(reader, ownWord(key));
    } else if (chance < 0.7) await stage.pin(message, !message.isPinned);
    else if (chance < 0.85) {
      const reader = pick(random, [...room.members]);
      await stage.save(message, reader, !message.savedBy.has(reader));
    } else await stage.react(message, pick(random, emojis));
  }

  /** Somebody goes, in one of three ways, or comes back. */
  async #move(chance: number): Promise<void> {
    const [stage, random] = [this.#stage, this.#random];
    const room = pick(random, looseRooms(stage));
    const guest = guestOf(random, room);
    if (chance < 0.85 && guest) {
      if (chance < 0.81) await stage.leave(room, guest);
      else await stage.remove(room, guest, chance < 0.83 ? 'members' : 'bans');
      await this.#expectNoExtra(guest, 'a');
      await this.#expectNoExtra(guest, `in:"${room.name}"`);
    } else {
      const other = pick(random, stage.people);
      // Who blocks the owner cannot be added by them.
      if (!room.members.has(other) && !other.blocked.has(ownerOf(room))) await stage.add(room, other);
    }
  }

  async #expectNoExtra(reader: SearchPerson, typed: string): Promise<void> {
    this.figures['acts checked']++;
    const text = /[\p{L}\p{N}]/u.test(typed) ? typed : 'a';
    await expectNoExtra(this.#stage, {
      reader,
      typed: text.replaceAll('"', ' '),
      timeZone: 'UTC',
      limit: 50,
    });
  }
}

/**
 * G13: people edit, delete, pin and react to messages while the server is killed again and again. Each repeats a change
 * until it is answered, as the outbox does, so at the end every message must be exactly as its people left it; and after
 * each kill every change that was answered must be there. A listener resumes after each kill, and must end with what a
 * fresh client loads.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../protocol/events.ts';
import { PINS_MAX } from '../../protocol/limits.ts';
import { type HttpReply, send } from '../support/http.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, readHistory, signUpCrowd } from '../support/users.ts';
import { RoomCopy } from './room-copy.ts';
import type { Finding } from './trial.ts';

export interface ChangesOptions {
  people: number;
  /** Messages of each person. */
  messages: number;
  changes: number;
  kills: number;
  /** A kill comes this long after the server was ready. */
  lifeMs: { min: number; max: number };
}

const EMOJIS = ['👍', '🦊', '❤️', '🐻‍❄️'];

/** One message as its author and everybody who reacted have left it. */
interface Model {
  id: number;
  content: string;
  revision: number;
  isDeleted: boolean;
  isPinned: boolean;
  reactions: Map<string, Set<number>>;
  /** A room has a limit of pins, so only some are pinned. */
  mayPin: boolean;
  /** A change is under way. */
  isBusy: boolean;
  /** Changes that were answered. */
  changes: number;
}

interface Step {
  method: string;
  end: string;
  json?: object;
  actor: Login;
  /** What has changed once it is answered. */
  apply(): void;
}

export async function changeUnderKills(seed: number, options: ChangesOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const people = await signUpCrowd(server, options.people);
  const [first] = people;
  if (!first) throw new Error('nobody is there');
  const room = (await createRoom(server, first)).id;
  const models = await postAll(server, people, room, options.messages);
  const copy = new RoomCopy(server, first, room);
  await copy.follow();

  const faults: string[] = [];
  let answered = 0;
  let isOver = false;
  const work = async (author: Login, own: readonly Model[]): Promise<void> => {
    while (!isOver && answered < options.changes) {
      const model = own[random.integer(0, own.length - 1)];
      if (!model || model.isBusy || model.isDeleted) {
        if (own.every(({ isDeleted }) => isDeleted)) return;
        continue;
      }
      const step = drawStep(random, { model, author, people });
      model.isBusy = true;
      const reply = await untilAnswered(
        server,
        `/api/v1/rooms/${room}/messages/${model.id}${step.end}`,
        step,
      );
      if (reply.status >= 300) faults.push(`${step.method} ${step.end} of ${model.id}: ${reply.status}`);
      step.apply();
      model.isBusy = false;
      model.changes++;
      answered++;
    }
  };
  const working = people.map((person, index) => work(person, models[index] ?? []));
  for (let kill = 0; kill < options.kills; kill++) {
    await sleep(random.integer(options.lifeMs.min, options.lifeMs.max));
    await server.kill();
    await server.restart();
    const before = new Map(models.flat().map((model) => [model, model.isBusy ? -1 : model.changes]));
    const stored = new Map((await readHistory(server, first, room)).map((message) => [message.id, message]));
    // What is changed at this moment may have been read before or after the change.
    for (const model of models.flat())
      if (!model.isBusy && model.changes === before.get(model))
        faults.push(...differences(model, stored.get(model.id)));
    await copy.follow();
  }
  await Promise.all(working);
  isOver = true;
  const history = await readHistory(server, first, room);
  const stored = new Map(history.map((message) => [message.id, message]));
  for (const model of models.flat()) faults.push(...differences(model, stored.get(model.id)));
  const numbers = history.map(({ seq, changed_seq }) => changed_seq ?? seq);
  if (new Set(numbers).size !== numbers.length) faults.push('two messages have one number');
  faults.push(...(await copy.compare(history)));
  await copy.close();
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`);
  return { counts: { acked: answered, lost: 0 }, figures: { kills: options.kills, heard: copy.heard } };
}

async function postAll(
  server: ServerProcess,
  people: readonly Login[],
  room: number,
  count: number,
): Promise<Model[][]> {
  return await Promise.all(
    people.map(async (person) => {
      const line = await RoomLine.enter(server, person, room);
      const models: Model[] = [];
      for (let number = 0; number < count; number++) {
        const content = `text ${number} of ${person.username}`;
        const { id } = await line.post(content);
        const plain = { revision: 0, isDeleted: false, isPinned: false, isBusy: false, changes: 0 };
        models.push({
          ...plain,
          id,
          content,
          reactions: new Map(),
          mayPin: number < PINS_MAX / people.length - 1,
        });
      }
      await line.close();
      return models;
    }),
  );
}

/** A change that is allowed and changes something. */
function drawStep(
  random: Random,
  { model, author, people }: { model: Model; author: Login; people: readonly Login[] },
): Step {
  const drawn = random.integer(1, 100);
  if (drawn <= 40) {
    const content = `${model.content.split(' #', 1)[0]} #${model.revision + 1}`;
    const apply = () => Object.assign(model, { content, revision: model.revision + 1 });
    const json = { content, base_revision: model.revision };
    return { method: 'PUT', end: '', json, actor: author, apply };
  }
  if (drawn <= 43) {
    const apply = () => {
      Object.assign(model, { content: '', isDeleted: true, isPinned: false });
      model.reactions.clear();
    };
    return { method: 'DELETE', end: '', actor: author, apply };
  }
  if (drawn <= 50 && model.mayPin && !model.isPinned) {
    return {
      method: 'PUT',
      end: '/pin',
      actor: author,
      apply: () => Object.assign(model, { isPinned: true }),
    };
  }
  if (drawn <= 50 && model.mayPin) {
    const apply = () => Object.assign(model, { isPinned: false });
    return { method: 'DELETE', end: '/pin', actor: author, apply };
  }
  const actor = people[random.integer(0, people.length - 1)] ?? author;
  const emoji = EMOJIS[random.integer(0, EMOJIS.length - 1)] ?? '👍';
  const end = `/reactions/${encodeURIComponent(emoji)}`;
  const users = model.reactions.get(emoji) ?? new Set();
  if (!users.has(actor.userId)) {
    const apply = () => model.reactions.set(emoji, new Set([...users, actor.userId]));
    return { method: 'PUT', end, actor, apply };
  }
  const apply = () => {
    users.delete(actor.userId);
    if (users.size === 0) model.reactions.delete(emoji);
  };
  return { method: 'DELETE', end, actor, apply };
}

async function untilAnswered(server: ServerProcess, path: string, step: Step): Promise<HttpReply> {
  for (;;) {
    try {
      const { method, json, actor } = step;
      const reply = await send(server, path, { method, token: actor.accessToken, ...(json && { json }) });
      if (reply.status < 500 && reply.status !== 429) return reply;
    } catch {
      // The server was killed, or is not back yet.
    }
    await sleep(20);
  }
}

function differences(model: Model, message: Message | undefined): string[] {
  const expected = {
    content: model.content,
    // What is deleted keeps nothing but its place.
    revision: model.revision === 0 ? undefined : model.revision,
    isDeleted: model.isDeleted,
    isPinned: model.isPinned,
    reactions: [...model.reactions].map(([emoji, users]) => [emoji, [...users].sort()]).sort(),
  };
  const found = message && {
    content: message.content,
    revision: message.revision,
    isDeleted: message.deleted_at !== undefined,
    isPinned: message.pinned_at !== undefined,
    reactions: (message.reactions ?? []).map(({ emoji, user_ids }) => [emoji, [...user_ids].sort()]).sort(),
  };
  const [wanted, actual] = [JSON.stringify(expected), JSON.stringify(found)];
  return wanted === actual ? [] : [`message ${model.id} is ${actual}, not ${wanted}`];
}

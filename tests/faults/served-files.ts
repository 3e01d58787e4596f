/**
 * G19: a file lives with its message. People post files, delete them and their messages, and are removed from rooms, banned
 * and added again, while processes are killed. From the answer to each act on, whoever may read the message gets the
 * file, whole, and everybody else 404, at any process. In the end the folder has the bytes of the files that are left,
 * and no others.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filePath } from '../../protocol/file-names.ts';
import { uploadedFile } from '../../protocol/rest/files.ts';
import { Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { bearer, fetchBytes } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import type { Finding } from './trial.ts';

export interface ServedFilesOptions {
  people: number;
  rooms: number;
  acts: number;
  /** Of people for files, after each act. */
  readsAfterEach: number;
  kills: number;
  /** Several on PostgreSQL; by default there is one. */
  processes?: number;
}

interface TrialRoom {
  id: number;
  /** Never removed. */
  owner: Login;
  members: Set<Login>;
}

interface TrialFile {
  key: string;
  messageId: number;
  room: TrialRoom;
  author: Login;
  hash: string;
  isGone: boolean;
}

const MAX_BYTES = 300_000;
/** A file whose process was killed is checked by another one after 30 s. */
const CHECKED_WITHIN_MS = 120_000;
const GONE_WITHIN_MS = 60_000;

class Trial {
  readonly servers: readonly ServerProcess[];
  readonly random: Random;
  readonly people: Login[] = [];
  readonly rooms: TrialRoom[] = [];
  readonly files: TrialFile[] = [];
  kills = 0;
  served = 0;
  hidden = 0;
  cut = 0;

  constructor(servers: readonly ServerProcess[], random: Random) {
    this.servers = servers;
    this.random = random;
  }

  one<T>(all: readonly T[]): T {
    const found = all[this.random.integer(0, all.length - 1)];
    assert(found !== undefined);
    return found;
  }

  get server(): ServerProcess {
    return this.one(this.servers);
  }

  get left(): TrialFile[] {
    return this.files.filter(({ isGone }) => !isGone);
  }
}

export async function serveFiles(seed: number, options: ServedFilesOptions): Promise<Finding> {
  const { processes = 1 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'roomful-files-'));
  const env = { FILES_DIR: folder, MESSAGES_PER_SECOND: '0' };
  try {
    if (processes > 1) {
      await using cluster = await Cluster.start({ processes, env });
      return await runTrial(new Trial(cluster.processes, seededRandom(seed)), options, folder);
    }
    await using server = await ServerProcess.start({ env });
    return await runTrial(new Trial([server], seededRandom(seed)), options, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTrial(trial: Trial, options: ServedFilesOptions, folder: string): Promise<Finding> {
  const { random, people, rooms } = trial;
  for (let count = 0; count < options.people; count++) people.push(await signUp(trial.server));
  for (let count = 0; count < options.rooms; count++) {
    const owner = trial.one(people);
    const { id } = await createRoom(trial.server, owner, undefined, 'private');
    rooms.push({ id, owner, members: new Set([owner]) });
  }
  const killEvery = Math.ceil(options.acts / (options.kills + 1));
  for (let count = 1; count <= options.acts; count++) {
    const isKilled = count % killEvery === 0 && trial.kills < options.kills;
    const act = actOf(trial, random.next());
    const reads = Promise.all([readOne(trial, false), readOne(trial, false)]);
    if (isKilled) await Promise.all([act, killOne(trial)]);
    else await act;
    await reads;
    await Promise.all(Array.from({ length: options.readsAfterEach }, () => readOne(trial, true)));
  }
  const keys = await keysInTheEnd(trial, folder);
  assert.deepEqual(keys, trial.left.map(({ key }) => key).sort());
  const { served, hidden, cut, kills, files, left } = trial;
  return {
    counts: { acked: files.length, lost: 0 },
    figures: { acts: options.acts, files: files.length, left: left.length, served, hidden, cut, kills },
  };
}

async function killOne(trial: Trial): Promise<void> {
  const { server } = trial;
  await server.kill();
  trial.kills++;
  await server.restart();
}

function actOf(trial: Trial, chance: number): Promise<void> {
  const { left } = trial;
  if (chance < 0.35 || left.length === 0) return postFile(trial);
  if (chance < 0.43) return deleteMessage(trial, trial.one(left));
  if (chance < 0.5) return deleteFile(trial, trial.one(left));
  return chance < 0.65 ? removeMember(trial, chance < 0.58) : addMember(trial);
}

async function postFile(trial: Trial): Promise<void> {
  const room = trial.one(trial.rooms);
  const author = trial.one([...room.members]);
  const bytes = randomBytes(trial.random.integer(1, MAX_BYTES));
  const path = `/api/v1/rooms/${room.id}/files?name=a&content=`;
  // What is posted by a request whose answer is lost is not known here, and stays.
  const reply = await send(trial.server, path, {
    ...{ method: 'POST', token: author.accessToken, body: bytes },
  }).catch(lost);
  if (reply === undefined) return;
  assert.equal(reply.status, 201, reply.text);
  const { key, message } = uploadedFile.parse(reply.json);
  assert(message);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const file = { key, messageId: message.id, room, author, hash, isGone: false };
  const isThere = async () => (await statusFor(trial, author, file))?.status === 200 || undefined;
  await eventually('the check of a file', isThere, CHECKED_WITHIN_MS);
  trial.files.push(file);
}

async function deleteMessage(trial: Trial, file: TrialFile): Promise<void> {
  const { room, messageId } = file;
  await persist(trial, room.owner, 'DELETE', `/rooms/${room.id}/messages/${messageId}`);
  file.isGone = true;
}

async function deleteFile(trial: Trial, file: TrialFile): Promise<void> {
  const { room, messageId, key, author } = file;
  const who = room.members.has(author) ? author : room.owner;
  await persist(trial, who, 'DELETE', `/rooms/${room.id}/messages/${messageId}/files/${key}`);
  file.isGone = true;
}

async function removeMember(trial: Trial, isBan: boolean): Promise<void> {
  const room = trial.one(trial.rooms);
  const others = [...room.members].filter((person) => person !== room.owner);
  if (others.length === 0) return;
  const person = trial.one(others);
  const list = isBan ? 'bans' : 'members';
  await persist(trial, room.owner, isBan ? 'PUT' : 'DELETE', `/rooms/${room.id}/${list}/${person.userId}`);
  room.members.delete(person);
}

async function addMember(trial: Trial): Promise<void> {
  const room = trial.one(trial.rooms);
  const person = trial.one(trial.people);
  if (room.members.has(person)) return;
  await persist(trial, room.owner, 'DELETE', `/rooms/${room.id}/bans/${person.userId}`);
  await persist(trial, room.owner, 'PUT', `/rooms/${room.id}/members/${person.userId}`);
  room.members.add(person);
}

/** Until there is an answer. What was done already may be 404 now. */
async function persist(trial: Trial, login: Login, method: string, path: string): Promise<void> {
  const status = await eventually(
    `${method} ${path}`,
    async () => {
      const options = { method, token: login.accessToken };
      const reply = await send(trial.server, `/api/v1${path}`, options).catch(lost);
      return reply && reply.status < 500 && reply.status !== 429 ? reply.status : undefined;
    },
    60_000,
  );
  assert(status < 300 || status === 404, `${method} ${path}: ${status}`);
}

/** One person asks for one file. Whether that is right is known while nothing is being changed. */
async function readOne(trial: Trial, isCertain: boolean): Promise<void> {
  if (trial.files.length === 0) return;
  const file = trial.one(trial.files);
  const person = trial.one(trial.people);
  const mayRead = !file.isGone && file.room.members.has(person);
  const reply = await statusFor(trial, person, file);
  if (reply === undefined) return;
  if (!reply.isWhole) trial.cut++;
  assert(!isCertain || reply.isWhole, 'a file was cut off although nothing had changed');
  assert(reply.status === 200 || reply.status === 404, `${reply.status}`);
  if (isCertain) assert.equal(reply.status, mayRead ? 200 : 404, `${person.username} and ${file.key}`);
  if (reply.status === 404) trial.hidden++;
  else if (reply.isWhole) {
    const hash = createHash('sha256').update(reply.bytes).digest('hex');
    assert.equal(hash, file.hash);
    trial.served++;
  }
}

/** Undefined: the process is away, or goes away. */
async function statusFor(trial: Trial, person: Login, { key }: TrialFile) {
  const reply = await fetchBytes(trial.server, filePath(key, 'a'), { headers: bearer(person) }).catch(lost);
  return reply && reply.status !== 503 && reply.status !== 429 ? reply : undefined;
}

function lost(error: NodeJS.ErrnoException): undefined {
  if (error instanceof assert.AssertionError || error.code === undefined) throw error;
}

/** The keys in the folder once the bytes of all that is gone are. */
async function keysInTheEnd({ files }: Trial, folder: string): Promise<string[]> {
  const known = new Set(files.map(({ key }) => key));
  const gone = new Set(files.filter(({ isGone }) => isGone).map(({ key }) => key));
  const keysNow = async () => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    return names.filter((name) => name.isFile() && known.has(name.name)).map(({ name }) => name);
  };
  return await eventually(
    'the end of the bytes of what is gone',
    async () => {
      const keys = await keysNow();
      return keys.some((key) => gone.has(key)) ? undefined : keys.sort();
    },
    GONE_WITHIN_MS,
  );
}

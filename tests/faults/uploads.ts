/**
 * G18: an answered offset of an upload is on the disk. Connections are cut in the middle of a part, or behind it and
 * before its answer, and the server is killed meanwhile. Each upload goes on where the server says that it is, which is
 * never behind what was answered. In the end the bytes are those that were sent. With several processes, any of them
 * goes on with an upload of any other: they share the folder of files, or the bucket.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { S3Server } from '../support/s3-server.ts';
import { ServerProcess } from '../support/server-process.ts';
import { checkedUpload, newUpload, offsetOf } from '../support/uploads.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import type { Finding } from './trial.ts';

export interface UploadTrialOptions {
  /** People who upload at the same time, one file after another. */
  people: number;
  /** Of a file: up to this number. */
  bytes: number;
  /** Several on PostgreSQL; by default there is one. */
  processes?: number;
  /** Files are in a bucket in place of a folder. */
  inBucket?: boolean;
  /** The trial ends after this number of each. */
  cuts: number;
  kills: number;
}

/** Bytes of a part: a proxy, or a slow line, may allow few. */
const PART = { min: 1000, max: 400_000 };
const SLICE = 16_384;
/** A file whose process was killed is checked by another one after 30 s. */
const CHECKED_WITHIN_MS = 120_000;

class Trial {
  readonly servers: readonly ServerProcess[];
  readonly random: Random;
  readonly options: UploadTrialOptions;
  cuts = 0;
  kills = 0;
  files = 0;
  bytes = 0;
  /** Bytes that were sent although their arrival had been answered. */
  sentAgain = 0;
  /** Cut parts of which something counted. */
  counted = 0;
  /** Parts that went to another process than the one before. */
  moved = 0;

  constructor(servers: readonly ServerProcess[], random: Random, options: UploadTrialOptions) {
    this.servers = servers;
    this.random = random;
    this.options = options;
  }

  /** One of the processes, which may be away. */
  get server(): ServerProcess {
    const server = this.servers[this.random.integer(0, this.servers.length - 1)];
    assert(server);
    return server;
  }

  get isOver(): boolean {
    return this.cuts >= this.options.cuts && this.kills >= this.options.kills;
  }
}

export async function cutUploads(seed: number, options: UploadTrialOptions): Promise<Finding> {
  const { processes = 1, inBucket = false } = options;
  await using s3 = inBucket ? await S3Server.start() : undefined;
  const bucket = await s3?.env();
  if (processes === 1) {
    await using server = await ServerProcess.start({ env: bucket ?? {} });
    return await runTrial(new Trial([server], seededRandom(seed), options));
  }
  const folder = await mkdtemp(join(tmpdir(), 'roomful-files-'));
  try {
    await using cluster = await Cluster.start({ processes, env: bucket ?? { FILES_DIR: folder } });
    return await runTrial(new Trial(cluster.processes, seededRandom(seed), options));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTrial(trial: Trial): Promise<Finding> {
  const { server, options } = trial;
  const owner = await signUp(server);
  const room = await createRoom(server, owner);
  const people = await Promise.all(Array.from({ length: options.people }, () => signUp(server)));
  const over = new AbortController();
  const killing = killAtRandom(trial, over.signal);
  await Promise.all(people.map((login) => uploadUntilOver(trial, login, room.id)));
  over.abort();
  await killing;
  assert.equal(trial.sentAgain, 0, 'bytes were sent again that were answered');
  const { cuts, kills, files, bytes, counted, moved, servers } = trial;
  return {
    counts: { acked: files, lost: 0 },
    figures: {
      ...{ cuts, kills, files, MiB: Math.round(bytes / 2 ** 20), 'cut parts that counted': counted },
      ...(servers.length > 1 && { processes: servers.length, 'parts at another process': moved }),
    },
  };
}

async function killAtRandom(trial: Trial, over: AbortSignal): Promise<void> {
  const { random, options } = trial;
  while (trial.kills < options.kills && !over.aborted) {
    const goal = trial.cuts + random.integer(0, Math.ceil((2 * options.cuts) / options.kills));
    while (trial.cuts < goal && trial.cuts < options.cuts) await sleep(5);
    await sleep(random.integer(0, 100));
    const { server } = trial;
    await server.kill();
    trial.kills++;
    await server.restart();
  }
}

async function uploadUntilOver(trial: Trial, login: Login, roomId: number): Promise<void> {
  while (!trial.isOver) await uploadOne(trial, login, roomId);
}

async function uploadOne(trial: Trial, login: Login, roomId: number): Promise<void> {
  const { random, options } = trial;
  const bytes = randomBytes(random.integer(1, options.bytes));
  const key = await persist('begin', () => newUpload(trial.server, login, roomId, { size: bytes.length }));
  let answered = 0;
  while (answered < bytes.length) {
    const offset = await persist('ask', () => offsetOf(trial.server, login, key));
    assert(offset >= answered, `it is at ${offset}, and ${answered} had been answered`);
    assert(offset <= bytes.length, `it is at ${offset} of ${bytes.length}`);
    if (offset > answered) trial.counted++;
    answered = offset;
    if (answered < bytes.length)
      answered = Math.max(answered, await sendParts(trial, login, key, bytes, offset));
  }
  const file = await persist('check', () => checkedUpload(trial.server, login, key, CHECKED_WITHIN_MS));
  const hash = createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual([file.state, file.size, file.sha256], ['ready', bytes.length, hash]);
  trial.files++;
  trial.bytes += bytes.length;
  const path = `/api/v1/uploads/${key}`;
  await persist('delete', () => send(trial.server, path, { method: 'DELETE', token: login.accessToken }));
}

/** Sends parts until one is cut, or all are there; how far the answers say that it is. */
async function sendParts(
  trial: Trial,
  login: Login,
  key: string,
  bytes: Buffer,
  from: number,
): Promise<number> {
  const { random } = trial;
  let answered = from;
  let last: number | undefined;
  while (answered < bytes.length) {
    const part = bytes.subarray(answered, answered + random.integer(PART.min, PART.max));
    const isCut = random.next() < 0.3 && !trial.isOver;
    const cutAfter = isCut ? random.integer(0, part.length) : undefined;
    if (isCut) trial.cuts++;
    const { port } = trial.server;
    if (last !== undefined && last !== port) trial.moved++;
    last = port;
    const reached = await sendPart(port, login, { key, offset: answered, part, cutAfter });
    if (reached === undefined) return answered;
    trial.sentAgain += Math.max(0, answered - reached);
    answered = reached;
  }
  return answered;
}

interface Sent {
  key: string;
  offset: number;
  part: Buffer;
  /** The connection ends after this number of bytes; undefined: it does not. */
  cutAfter: number | undefined;
}

/** The offset of the answer; undefined: there was none, or the upload was elsewhere. */
async function sendPart(
  port: number,
  login: Login,
  { key, offset, part, cutAfter }: Sent,
): Promise<number | undefined> {
  const request = httpRequest({
    ...{ host: '127.0.0.1', port, agent: false, method: 'PATCH', path: `/api/v1/uploads/${key}` },
    headers: {
      authorization: `Bearer ${login.accessToken}`,
      'tus-resumable': '1.0.0',
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': part.length,
    },
  });
  const answer = new Promise<number | undefined>((resolve) => {
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode === 204 ? Number(response.headers['upload-offset']) : undefined);
    });
  });
  const end = cutAfter ?? part.length;
  for (let at = 0; at < end && !request.destroyed; at += SLICE) {
    const slice = part.subarray(at, Math.min(at + SLICE, end));
    const written = new Promise<'written'>((resolve) => request.write(slice, () => resolve('written')));
    // The answer ends it, too: Node forgets the callback of a write after the end of a response.
    if ((await Promise.race([written, answer])) !== 'written') break;
  }
  if (cutAfter === undefined) request.end();
  else request.destroy();
  return await answer;
}

/** Again while the server is away, or says that it is. Any other assertion of the trial is final. */
async function persist<T>(what: string, act: () => Promise<T>): Promise<T> {
  return await eventually(
    what,
    () =>
      act().catch((error: NodeJS.ErrnoException) => {
        const isFinal = error instanceof assert.AssertionError ? !isAway(error) : error.code === undefined;
        if (isFinal) throw error;
        return undefined;
      }),
    60_000,
  );
}

function isAway({ actual }: assert.AssertionError): boolean {
  return actual === 503 || (actual as { status?: unknown } | undefined)?.status === 503;
}

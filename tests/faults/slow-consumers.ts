/**
 * G4: some sockets stop reading. The others must not be affected, the server's memory must stay small, and the slow
 * sockets must be able to resume.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, issueUserTicket, type Login, signUp } from '../support/users.ts';
import type { DrainNews } from './drain-process.ts';
import { MeasuredRoom, median, sampleRss } from './measured-room.ts';
import { StoppingReader } from './stopping-reader.ts';
import type { Finding } from './trial.ts';

const DRAIN = fileURLToPath(new URL('./drain-process.js', import.meta.url));
const CONTENT_LENGTH = 3900;
const MEBIBYTE = 1024 * 1024;
const CLOSED_WITHIN_MS = 180_000;

export interface SlowOptions {
  /** Healthy sockets: `drains` only read, `probes` are measured. */
  drains: number;
  probes: number;
  /** The number of sockets that stop reading. */
  slow: number;
  messagesPerSecond: number;
  /** How often they stop reading, reconnect and resume. */
  rounds: number;
  /** The time before each round in which all sockets read, for comparison. */
  quietMs: number;
}

export interface SlowFinding extends Finding {
  figures: Record<string, number | string>;
  p99Ratio: number;
  rssMiB: number;
}

export async function stopReading(options: SlowOptions): Promise<SlowFinding> {
  await using server = await ServerProcess.start({
    env: { MESSAGES_PER_SECOND: '0', SOCKETS_PER_USER: '100000' },
  });
  const login = await signUp(server);
  const slowLogin = await signUp(server);
  const roomId = (await createRoom(server, login)).id;
  const drain = await startDrain(server, login, roomId, options.drains);
  const room = new MeasuredRoom(server, login, roomId, { ...options, contentLength: CONTENT_LENGTH });
  await room.open();
  const rss: Record<'quiet' | 'slow', number[]> = { quiet: [], slow: [] };
  const p99: Record<'quiet' | 'slow', number[]> = { quiet: [], slow: [] };
  const phase = async (name: 'quiet' | 'slow', during: () => Promise<unknown>) => {
    const samples = sampleRss(server.pid);
    room.startMeasuring();
    await during();
    p99[name].push(room.p99());
    rss[name].push(await samples.stop());
  };
  let slow = await Promise.all(
    Array.from({ length: options.slow }, () => StoppingReader.enter(server, slowLogin, roomId)),
  );
  for (let round = 1; round <= options.rounds; round++) {
    await phase('quiet', () => sleep(options.quietMs));
    slow = await Promise.all(slow.map(stopOnANewSocket));
    await phase('slow', async () => {
      // The slow sockets are one user, so a leave is announced when the last of them has gone.
      await eventually('all closed', () => (room.leaves === round ? true : undefined), CLOSED_WITHIN_MS);
    });
    slow = await Promise.all(slow.map(comeBack));
  }
  const head = await room.close();
  for (const reader of slow) {
    await eventually('all received', () => (reader.look() === head ? true : undefined));
    reader.destroy();
  }
  await room.expectAll(head);
  assert(drain.isWhole(), 'a healthy socket was lost');
  drain.stop();
  const expected = options.slow * options.rounds;
  const closings = (await server.logged(({ msg }) => msg === 'slow consumer closed', expected)).length;
  assert.equal(closings, expected, 'closed for another reason');
  const p99Ratio = median(p99.slow) / median(p99.quiet);
  const rssMiB = (Math.max(...rss.slow) - Math.max(...rss.quiet)) / MEBIBYTE;
  const figures = {
    sockets: options.drains + options.probes + options.slow,
    'not reading': options.slow,
    'closed and resumed': closings,
    messages: head,
    'p99 quiet, ms': p99.quiet.map(round1).join(' '),
    'p99 slow, ms': p99.slow.map(round1).join(' '),
    'ratio of the medians': round2(p99Ratio),
    'RSS +MiB': round1(rssMiB),
  };
  return { figures, p99Ratio, rssMiB };

  /**
   * Opens a new socket and stops reading there. The kernel's buffer of a socket that has read a lot grows up to 32 MiB,
   * and it would take minutes until the server is blocked by it.
   */
  async function stopOnANewSocket(reader: StoppingReader): Promise<StoppingReader> {
    reader.look();
    const next = await StoppingReader.enter(server, slowLogin, roomId, reader.cursor);
    next.stop();
    reader.destroy();
    return next;
  }

  /** Reads what is still in the buffers, and resumes from there. */
  async function comeBack(reader: StoppingReader): Promise<StoppingReader> {
    reader.readOn();
    await reader.closed;
    reader.look();
    return await StoppingReader.enter(server, slowLogin, roomId, reader.cursor);
  }
}

async function startDrain(server: ServerProcess, login: Login, roomId: number, count: number) {
  const tickets: string[] = [];
  while (tickets.length < count) tickets.push(await issueUserTicket(server, login));
  const child: ChildProcess = fork(DRAIN);
  let news: DrainNews | undefined;
  child.on('message', (message: DrainNews) => {
    news = message;
  });
  child.send({ port: server.port, roomId, tickets });
  await eventually('the drains in', () => news, 60_000);
  return { isWhole: () => news === 'in', stop: () => child.disconnect() };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

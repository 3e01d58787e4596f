/** G4: some sockets stop reading. The others must not feel it, the server must not swell, and they must be able to resume. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, findRoom, issueTicket, type Login, readHistory, signUp } from '../support/users.ts';
import { ChatClientV2 } from '../support/ws-client.ts';
import type { DrainNews } from './drain-process.ts';
import { MeasuredRoom, median, sampleRss } from './measured-room.ts';
import type { Finding } from './trial.ts';

const DRAIN = fileURLToPath(new URL('./drain-process.js', import.meta.url));
const CONTENT_LENGTH = 3900;
const MEBIBYTE = 1024 * 1024;
const CLOSED_WITHIN_MS = 180_000;

export interface SlowOptions {
  /** Sockets that read: these drain, these are measured. */
  drains: number;
  probes: number;
  /** Sockets that do not. */
  slow: number;
  messagesPerSecond: number;
  /** How often they stop reading, come back and resume. */
  rounds: number;
  /** Before each round all read for so long, to compare. */
  quietMs: number;
}

export interface SlowFinding extends Finding {
  figures: Record<string, number>;
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
    Array.from({ length: options.slow }, () => ChatClientV2.enter(server, slowLogin, roomId)),
  );
  const heard = slow.map(({ hello }) => ({ since: hello.seq, seqs: [] as number[] }));
  for (let round = 1; round <= options.rounds; round++) {
    await phase('quiet', () => sleep(options.quietMs));
    await phase('slow', async () => {
      for (const client of slow) client.stopReading();
      // They are one user: the last one's end is seen in the room. Some are closed for what is unsent, some for their silence.
      await eventually(
        'all closed',
        async () => ((await findRoom(server, login, roomId))?.online === 1 ? true : undefined),
        CLOSED_WITHIN_MS,
      );
    });
    slow = await Promise.all(slow.map((client, index) => comeBack(client, heard[index]?.seqs ?? [])));
  }
  await room.close();
  await sleep(100);
  const history = await readHistory(server, login, roomId);
  for (const [index, client] of slow.entries()) {
    await client.settle();
    heard[index]?.seqs.push(...client.events.map(({ seq }) => seq));
    const expected = history.map(({ seq }) => seq).filter((seq) => seq > (heard[index]?.since ?? 0));
    assert.deepEqual(heard[index]?.seqs, expected, 'resumed with a gap');
  }
  room.expectAll(history.length);
  assert(drain.isWhole(), 'a healthy socket was lost');
  drain.stop();
  const p99Ratio = median(p99.slow) / median(p99.quiet);
  const rssMiB = (Math.max(...rss.slow) - Math.max(...rss.quiet)) / MEBIBYTE;
  const figures = {
    sockets: options.drains + options.probes + options.slow,
    'not reading': options.slow,
    messages: history.length,
    'p99 quiet, ms': round1(median(p99.quiet)),
    'p99 slow, ms': round1(median(p99.slow)),
    'p99 ratio': round1(p99Ratio),
    'RSS +MiB': round1(rssMiB),
  };
  return { figures, p99Ratio, rssMiB };

  /** Reads what was on the way, notes it, and resumes from there. */
  async function comeBack(client: ChatClientV2, seqs: number[]): Promise<ChatClientV2> {
    client.readOn();
    await client.closed;
    seqs.push(...client.events.map(({ seq }) => seq));
    const since = seqs.at(-1) ?? client.hello.seq;
    return await ChatClientV2.enter(server, slowLogin, roomId, {
      place: { since, epoch: client.hello.epoch },
    });
  }
}

async function startDrain(server: ServerProcess, login: Login, roomId: number, count: number) {
  const tickets: string[] = [];
  while (tickets.length < count) tickets.push(await issueTicket(server, login, roomId));
  const child: ChildProcess = fork(DRAIN);
  let news: DrainNews | undefined;
  child.on('message', (message: DrainNews) => {
    news = message;
  });
  child.send({ port: server.port, roomId, tickets });
  await eventually('the drains in', () => news, 60_000);
  return { isWhole: () => news === 'in', stop: () => child.disconnect() };
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

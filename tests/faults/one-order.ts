/**
 * G2: live order and history order are the order of seq, whatever a commit takes. Nothing appears behind a reader.
 */
import type { Message } from '../../protocol/events.ts';
import { historyResponse } from '../../protocol/rest/messages.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send, type Target } from '../support/http.ts';
import { PatchedServer } from '../support/patched-server.ts';
import { seededRandom } from '../support/random.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom } from '../support/users.ts';
import type { Seat } from './member.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

/** The patch for a server that sleeps before each commit, for at most this number of milliseconds. */
const SLEEPY = (longestMs: number) => ({
  file: 'server/data/storage/sqlite/writer.js',
  find: "this.#sqlite.exec('COMMIT');",
  replace: `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * ${longestMs});
            this.#sqlite.exec('COMMIT');`,
});

export interface OrderOptions extends Crowd {
  window: number;
  acks: number;
  longestCommitMs: number;
}

export async function publishWithSlowCommits(seed: number, options: OrderOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using sleepy = await PatchedServer.make([SLEEPY(options.longestCommitMs)]);
  await using server = await ServerProcess.start({ main: sleepy.main, env: { MESSAGES_PER_SECOND: '0' } });
  const seats = await takeSeats(server, options);
  const firstId = await sayInAnotherRoom(server, seats);
  const traffic = new Traffic({ target: server, random, seats, window: options.window });
  const over = new AbortController();
  const firstOfRoom = new Map(seats.map((seat) => [seat.roomId, seat]));
  const readers = [...firstOfRoom.values()].map((seat) => readOn(server, seat, firstId, over.signal));
  await traffic.acks(options.acks, 600_000);
  const report = await traffic.finish();
  over.abort();
  const read = await Promise.all(readers);
  // Each page began where the one before ended, so a row that appeared later at an earlier place was never seen.
  for (const { roomId, messages } of read) {
    const gap = messages.findIndex(({ seq }, index) => seq !== index + 1);
    if (gap >= 0)
      report.outOfOrder.push(`a reader of room ${roomId} found seq ${messages[gap]?.seq} at ${gap + 1}`);
  }
  const pages = read.reduce((sum, { pages: count }) => sum + count, 0);
  return { report, figures: { heard: report.heard, publishers: seats.length, 'pages read': pages } };
}

/** Posts a message, and returns its id: a cursor before all messages of the run. */
async function sayInAnotherRoom(target: Target, [seat]: Seat[]): Promise<number> {
  if (!seat) throw new Error('nobody is there');
  const client = await RoomLine.enter(target, seat.login, (await createRoom(target, seat.login)).id);
  const { id } = await client.post('first of all');
  await client.close();
  return id;
}

/** Reads a room's history from the start with `after_id`, until `signal` aborts. */
async function readOn(target: Target, { login, roomId }: Seat, firstId: number, signal: AbortSignal) {
  const messages: Message[] = [];
  let pages = 0;
  for (;;) {
    const isLast = signal.aborted;
    const path = `/api/v1/rooms/${roomId}/messages?limit=200&after_id=${messages.at(-1)?.id ?? firstId}`;
    const page = expectReply(await send(target, path, { token: login.accessToken }), 200, historyResponse);
    messages.push(...page.messages);
    pages++;
    if (isLast && !page.has_more) return { roomId, messages, pages };
  }
}

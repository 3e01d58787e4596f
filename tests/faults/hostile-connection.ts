/** A connection that says random things and dies at a random moment, in a random way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LARGE_FILE } from '../support/client-files.ts';
import type { Target } from '../support/http.ts';
import type { Random } from '../support/random.ts';
import { connectRaw, get, h2cUpgrade, postJson, slowLogin, wsUpgrade } from '../support/raw-requests.ts';

const MAX_PIECES = 8;
const MAX_PAUSE_MS = 15;
const STALL_MS = 1000;

export interface Prey extends Target {
  /** Path of a page of history that is larger than a socket's buffers, and a token to read it. */
  historyPath: string;
  accessToken: string;
  ticket(): Promise<string>;
}

type Piece = (prey: Prey) => string | Promise<string>;

/** With how often each is chosen: what costs the server a password hash or a transaction is rare. */
const PIECES: readonly (readonly [number, Piece])[] = [
  [10, () => get('/healthz')],
  [10, () => get(LARGE_FILE)],
  [4, () => get('/')],
  [6, (prey) => get(prey.historyPath, `Authorization: Bearer ${prey.accessToken}\r\n`)],
  [2, () => slowLogin()],
  [3, () => postJson('/api/v1/auth/login', { nonsense: true })],
  [3, () => postJson('/api/v1/auth/login', {}).slice(0, -1)],
  [3, () => 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  [4, () => get('/healthz', 'Expect: 100-continue\r\n')],
  [6, () => h2cUpgrade()],
  [4, () => h2cUpgrade(LARGE_FILE)],
  [4, () => wsUpgrade()],
  [2, async (prey) => wsUpgrade(`/ws?ticket=${await prey.ticket()}`)],
  [4, () => '\0garbage\r\n\r\n'],
  [2, () => 'GET /healthz HTTP/1.1\r\nHost'],
  [1, () => 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
];
const WEIGHTS = PIECES.reduce((sum, [weight]) => sum + weight, 0);

function pick(random: Random): Piece {
  let left = random.next() * WEIGHTS;
  for (const [weight, piece] of PIECES) {
    left -= weight;
    if (left < 0) return piece;
  }
  throw new Error('the weights do not add up');
}

/** Resolves when the connection is gone on this side. */
export async function attack(prey: Prey, random: Random): Promise<void> {
  const pieces: string[] = [];
  for (let left = random.integer(1, MAX_PIECES); left > 0; left--) pieces.push(await pick(random)(prey));
  const text = pieces.join('');
  const cuts = Array.from({ length: random.integer(0, 2) }, () => random.integer(0, text.length));
  const bounds = [0, ...cuts.sort((a, b) => a - b), text.length];
  const pause = () => sleep(random.integer(0, MAX_PAUSE_MS));

  const socket = await connectRaw(prey);
  if (random.next() < 0.5) socket.resume();
  for (const [index, end] of bounds.slice(1).entries()) {
    if (socket.writable) socket.write(text.slice(bounds[index], end));
    if (random.next() < 0.5) await pause();
  }
  if (random.next() < 0.3) socket.end();
  if (random.next() < 0.05) await sleep(STALL_MS);
  else await pause();
  if (random.next() < 0.7) socket.resetAndDestroy();
  else socket.destroy();
}

/**
 * Appends over connections that are cut at random: before a batch reaches the database, or after it was stored and
 * before its reply. Every acked text must be there once, at the place that its ack named; no text is there twice.
 */

import { newRoom, newUser, wholeRoom } from '../../server/data/storage/contract/subject.ts';
import { APPEND_V1 } from '../../server/data/storage/migrations/postgres-append.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import type { MessageRow, Store } from '../../server/data/storage/store.ts';
import { parseDatabaseAddress } from '../../server/platform/database-address.ts';
import { PostgresServer } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { Relay } from './relay.ts';

const ROOMS = 20;
const SENDERS = 60;

export interface CutReplies {
  acked: number;
  /** Rejected as `service_unavailable`; stored or not. */
  rejected: number;
  cuts: number;
  lost: string[];
  doubled: string[];
  misplaced: string[];
  gaps: number[];
}

export interface CutRepliesOptions {
  seed: number;
  cuts: number;
  /** A bug to plant: another text of `append_v1`. */
  plant?: (append: string) => string;
}

/** Appends until this number of replies were cut. */
export async function cutReplies({ cuts, seed, plant }: CutRepliesOptions): Promise<CutReplies> {
  await using server = await PostgresServer.start();
  const url = await server.createDatabase();
  const direct = parseDatabaseAddress(url);
  const [host] = direct?.hosts ?? [];
  if (!direct || !host) throw new Error('not an address');
  await using relay = await Relay.start(host);
  const { store } = await openPostgresStore({
    address: { ...direct, hosts: [{ host: '127.0.0.1', port: relay.port }] },
    isShared: false,
    onFatal,
  });
  if (plant) await server.run(plant(APPEND_V1.replace('CREATE', 'CREATE OR REPLACE')), url);
  const user = await newUser(store);
  const rooms: number[] = [];
  while (rooms.length < ROOMS) rooms.push((await newRoom(store, user.id)).id);

  const random = seededRandom(seed);
  relay.decide = (chunk) => {
    if (!chunk.includes('{')) return 'pass';
    const draw = random.next();
    return draw < 0.2 ? 'lose reply' : draw < 0.22 ? 'lose' : 'pass';
  };
  const acks = new Map<string, { roomId: number; seq: number; id: number }>();
  let rejected = 0;
  let texts = 0;
  const send = async () => {
    while (relay.cutReplies < cuts) {
      const content = `text ${texts++}`;
      const roomId = rooms[Math.floor(random.next() * ROOMS)] ?? 0;
      const cid = random.next() < 0.5 ? content : null;
      await store.append({ roomId, userId: user.id, cid, content, now: Date.now() }).then(
        (outcome) => {
          if ('seq' in outcome) acks.set(content, { roomId, seq: outcome.seq, id: outcome.id });
        },
        () => {
          rejected++;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  relay.decide = () => 'pass';
  const rows = await readAll(store, rooms);
  await store.close();
  return { ...faultsIn(rows, acks), acked: acks.size, rejected, cuts: relay.cutReplies };
}

async function readAll(store: Store, rooms: number[]): Promise<MessageRow[][]> {
  const all: MessageRow[][] = [];
  for (const roomId of rooms) all.push(await wholeRoom(store, roomId));
  return all;
}

function faultsIn(rooms: MessageRow[][], acks: Map<string, { roomId: number; seq: number; id: number }>) {
  const found = new Map<string, MessageRow>();
  const doubled: string[] = [];
  for (const row of rooms.flat()) {
    if (found.has(row.content)) doubled.push(row.content);
    found.set(row.content, row);
  }
  const lost: string[] = [];
  const misplaced: string[] = [];
  for (const [content, { roomId, seq, id }] of acks) {
    const row = found.get(content);
    if (!row) lost.push(content);
    else if (row.roomId !== roomId || row.seq !== seq || row.id !== id) misplaced.push(content);
  }
  const gaps = rooms
    .filter((rows) => rows.some(({ seq }, index) => seq !== index + 1))
    .map((rows) => rows[0]?.roomId ?? 0);
  return { lost, doubled, misplaced, gaps };
}

/** No receipt: a batch is stored each time that it arrives. */
export function withoutReceipts(append: string): string {
  const planted = append.replace('v_batch = p_batch', 'false').replace('v_batch <> p_batch - 1', 'false');
  if (planted.includes('v_batch =') || planted.includes('v_batch <>'))
    throw new Error('the receipts are elsewhere');
  return planted;
}

function onFatal(error: Error): never {
  throw error;
}

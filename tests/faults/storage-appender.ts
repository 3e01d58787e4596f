/**
 * A process that appends without a pause and prints what it was promised, one line each, before it does anything
 * else: what stands there was acknowledged. Whatever is refused is repeated under the same cid.
 *
 * Arguments: the data folder, the number of this life, messages in flight. It ends when it is killed, or by itself
 * with code 1 when a commit's fate is unknown, as the server does.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../protocol/errors.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import type { NewMessage, Store } from '../../server/data/storage/store.ts';
import { cidOf, messageOf, setScene } from './storage-messages.ts';

const RETRY_AFTER_MS = 20;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Returns when the line is written: a full pipe is waited for. */
function print(...words: (string | number)[]): void {
  let rest = Buffer.from(`${words.join(' ')}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

function end(error: unknown): never {
  print('fatal', error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function appendUntilStored(store: Store, message: NewMessage): Promise<void> {
  for (;;) {
    try {
      const stored = await store.append(message);
      // What was refused changed nothing, so even a repeat is stored now, for the first time.
      if (stored.outcome !== 'stored') throw new Error(`${message.cid}: ${stored.outcome}`);
      return print('ack', message.cid ?? '', message.roomId, stored.id, stored.seq);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service_unavailable')) throw error;
      print('refused', message.cid ?? '');
      await sleep(RETRY_AFTER_MS);
    }
  }
}

async function main([dataDir = '', life = '1', inFlight = '20']: string[]): Promise<void> {
  print('pid', process.pid);
  const { store } = await openSqliteStore({ dataDir, onFatal: end });
  const scene = await setScene(store);
  let count = 0;
  async function appendForEver(): Promise<void> {
    for (;;) await appendUntilStored(store, messageOf(cidOf(Number(life), count++), scene));
  }
  await Promise.all(Array.from({ length: Number(inFlight) }, appendForEver));
}

main(process.argv.slice(2)).catch(end);

/** Kills the appending process again and again, at moments that the seed gives, and checks the database after each. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../support/random.ts';
import { type Ack, expectKept, withStore } from './storage-acks.ts';
import { cidOf, messageOf, setScene } from './storage-messages.ts';
import { AppenderProcess } from './storage-process.ts';

const LONGEST_IN_FLIGHT = 200;
const LONGEST_WAIT_MS = 10;

export interface KillRun {
  dataDir: string;
  seed: number;
  kills: number;
  /** A process is killed after one to this number of acks. */
  acksPerLife: number;
}

export interface KillReport {
  acked: number;
  /** Stored, but the process died before it could say so; known since the message was sent again. */
  recovered: number;
}

/** Throws, with the seed, unless every life's acks are kept. */
export async function killAppenders({ dataDir, seed, kills, acksPerLife }: KillRun): Promise<KillReport> {
  const random = seededRandom(seed);
  const acks: Ack[] = [];
  let recovered = 0;
  for (let life = 1; life <= kills; life++) {
    const inFlight = random.integer(1, LONGEST_IN_FLIGHT);
    const appender = new AppenderProcess({ dataDir, life, inFlight });
    try {
      await appender.reaches({ acks: random.integer(1, acksPerLife) });
      await sleep(random.integer(0, LONGEST_WAIT_MS));
      await appender.kill();
      acks.push(...appender.acks);
      await expectKept(dataDir, acks);
      const repeated = await repeatLife(dataDir, life, appender.acks, inFlight);
      acks.push(...repeated.acks);
      recovered += repeated.recovered;
      // Nothing waits for a reply now, so nothing else may be stored.
      assert.equal(await expectKept(dataDir, acks), acks.length, 'stored, but never acked');
    } catch (error) {
      throw new Error(`seed ${seed}, life ${life}`, { cause: error });
    } finally {
      await appender.kill();
    }
  }
  return { acked: acks.length, recovered };
}

/**
 * Sends everything of one process again, as clients do that got no reply. What was acked gets its first numbers; the
 * rest is stored now or was stored then, and is acked now.
 */
async function repeatLife(dataDir: string, life: number, acks: readonly Ack[], inFlight: number) {
  const first = new Map(acks.map((ack) => [ack.cid, ack]));
  return await withStore(dataDir, async (store) => {
    const scene = await setScene(store);
    const repeated = { acks: [] as Ack[], recovered: 0 };
    // Messages are numbered as they are sent, and each sender waits for its reply.
    const cids = Array.from({ length: acks.length + inFlight }, (_, count) => cidOf(life, count));
    const repeat = async (cid: string): Promise<void> => {
      const message = messageOf(cid, scene);
      const again = await store.append(message);
      assert(again.outcome === 'stored' || again.outcome === 'duplicate', `${cid}: ${again.outcome}`);
      const { id, seq } = again;
      const ack = { cid, roomId: message.roomId, id, seq };
      if (first.has(cid)) {
        assert.equal(again.outcome, 'duplicate', cid);
        return assert.deepEqual(ack, first.get(cid));
      }
      repeated.acks.push(ack);
      if (again.outcome === 'duplicate') repeated.recovered++;
    };
    await Promise.all(cids.map(repeat));
    return repeated;
  });
}

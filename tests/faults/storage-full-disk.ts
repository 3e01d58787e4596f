/** Fills a store's disk while messages are appended, frees it again, and checks what was promised meanwhile. */
import assert from 'node:assert/strict';
import { AppError } from '../../protocol/errors.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { seededRandom } from '../support/random.ts';
import { type Ack, expectKept, readAllRooms, withStore } from './storage-acks.ts';
import { cidOf, messageOf, type Scene, setScene } from './storage-messages.ts';
import { SmallDisk } from './storage-small-disk.ts';

const LARGEST_BATCH = 60;
/** This number of batches in a row must fail before the disk counts as full: not only the large ones. */
const FAILING_BATCHES = 20;
const MIB = 1024 * 1024;
/** What is freed must have room for all that was refused, in the log and in the database. */
const LEAST_TO_FREE_BYTES = 6 * MIB;

export interface FullDiskRun {
  seed: number;
  mebibytes: number;
  /** How often the disk is full, at most: the run ends when it is full of messages. */
  rounds: number;
}

export interface FullDiskReport {
  rounds: number;
  acked: number;
  refused: number;
}

/** Throws, with the seed, unless the store keeps its promises on a disk that is full again and again. */
export async function fillDisk({ seed, mebibytes, rounds }: FullDiskRun): Promise<FullDiskReport> {
  const random = seededRandom(seed);
  const disk = await SmallDisk.mount(mebibytes);
  const acks: Ack[] = [];
  let refused: string[] = [];
  const report = { rounds: 0, acked: 0, refused: 0 };
  try {
    await withStore(disk.path, async (store) => {
      const scene = await setScene(store);
      let count = 0;
      for (let round = 1; round <= rounds; round++) {
        const ballast = await disk.fill(random.integer(0, MIB));
        if (ballast < LEAST_TO_FREE_BYTES) {
          // To be opened once more it needs a little space.
          await disk.free();
          break;
        }
        report.rounds++;
        for (let failing = 0; failing < FAILING_BATCHES; ) {
          const size = random.integer(1, LARGEST_BATCH);
          const cids = Array.from({ length: size }, () => cidOf(round, count++));
          const batch = await append(store, scene, cids);
          acks.push(...batch.acks);
          refused.push(...batch.refused);
          failing = batch.refused.length > 0 ? failing + 1 : 0;
        }
        report.refused += refused.length;
        await expectReads(store, acks);
        await disk.free();
        // What was refused changed nothing: now it is stored, under the same cid, for the first time.
        const repeated = await append(store, scene, refused);
        assert.deepEqual(repeated.refused, [], 'refused although there is space again');
        acks.push(...repeated.acks);
        refused = [];
        if (!(await isReady(store))) {
          // It may be full of messages by now, with nothing left to free.
          assert((await disk.freeBytes()) < MIB, 'not ready although there is space again');
          break;
        }
      }
    });
    assert.equal(await expectKept(disk.path, acks), acks.length, 'stored, but never acked');
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  } finally {
    await disk.unmount();
  }
  return { ...report, acked: acks.length };
}

function isReady(store: Store): Promise<boolean> {
  return store.check().then(
    () => true,
    () => false,
  );
}

/** Appends all at once; every one is stored, or refused as retryable. */
async function append(
  store: Store,
  scene: Scene,
  cids: string[],
): Promise<{ acks: Ack[]; refused: string[] }> {
  const acks: Ack[] = [];
  const refused: string[] = [];
  const appendOne = async (cid: string): Promise<void> => {
    const message = messageOf(cid, scene);
    try {
      const stored = await store.append(message);
      assert(stored.outcome === 'stored', `${cid}: ${stored.outcome}`);
      acks.push({ cid, roomId: message.roomId, id: stored.id, seq: stored.seq });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service_unavailable')) throw error;
      refused.push(cid);
    }
  };
  await Promise.all(cids.map(appendOne));
  return { acks, refused };
}

/** Reads go on: they see all that was acked, and nothing of what was refused. */
async function expectReads(store: Store, acks: readonly Ack[]): Promise<void> {
  const histories = await readAllRooms(store);
  const stored = [...histories.values()].flat().map(({ cid }) => cid ?? '');
  assert.deepEqual(stored.toSorted(), acks.map(({ cid }) => cid).toSorted());
}

/**
 * G18 on a full disk of files: uploads are refused as retryable, what was answered stays, and people write on. When
 * there is space again, the same uploads go on from where they were.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { type HttpReply, send, type Target } from '../support/http.ts';
import { seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { beginUpload, checkedUpload, newUpload, offsetOf, patchUpload } from '../support/uploads.ts';
import type { Login } from '../support/users.ts';
import { readiness } from './full-disk.ts';
import { SmallDisk } from './storage-small-disk.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

const MEBIBYTES = 32;
const FILE_BYTES = 3_000_000;
const PART_BYTES = 300_000;

export interface FullFilesOptions extends Crowd {
  rounds: number;
  window: number;
  /** Texts that are acknowledged while the disk is full. */
  acksBetween: number;
}

export async function fillTheDiskOfFiles(seed: number, options: FullFilesOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const disk = await SmallDisk.mount(MEBIBYTES);
  try {
    await using server = await ServerProcess.start({
      env: { FILES_DIR: join(disk.path, 'files'), MESSAGES_PER_SECOND: '0' },
    });
    const seats = await takeSeats(server, options);
    const [{ login, roomId } = assert.fail('nobody is there')] = seats;
    const traffic = new Traffic({ target: server, random, seats, window: options.window });
    await traffic.everybodyIn();
    let refused = 0;
    for (let round = 0; round < options.rounds; round++) {
      const bytes = randomBytes(FILE_BYTES);
      const key = await newUpload(server, login, roomId, { size: bytes.length });
      const until = random.integer(0, FILE_BYTES - PART_BYTES);
      const answered = offsetIn(await patchUpload(server, login, key, 0, bytes.subarray(0, until)));
      assert.equal(answered, until);
      // A second may pass before the server asks the disk again; what fits meanwhile is taken.
      await disk.fill(random.integer(0, PART_BYTES));
      const reached = await sendWhileFull(
        async (from) => patchUpload(server, login, key, from, bytes.subarray(from, from + PART_BYTES)),
        until,
      );
      await eventually('no new upload', () => isNoneBegun(server, login, roomId));
      refused++;
      await traffic.acks(options.acksBetween);
      assert.equal(await readiness(server), 200);
      assert.equal(await offsetOf(server, login, key), reached);
      await disk.free();
      let offset = reached;
      while (offset < bytes.length)
        offset = await eventually('the upload goes on', async () => {
          const reply = await patchUpload(
            server,
            login,
            key,
            offset,
            bytes.subarray(offset, offset + PART_BYTES),
          );
          return reply.status === 204 ? offsetIn(reply) : undefined;
        });
      const { state, sha256 } = await checkedUpload(server, login, key);
      await send(server, `/api/v1/uploads/${key}`, { method: 'DELETE', token: login.accessToken });
      assert.deepEqual([state, sha256], ['ready', createHash('sha256').update(bytes).digest('hex')]);
    }
    const report = await traffic.finish();
    return { report, figures: { rounds: options.rounds, heard: report.heard, 'uploads refused': refused } };
  } finally {
    await disk.unmount();
  }
}

/** True, or undefined when one could be begun, which is taken back. */
async function isNoneBegun(target: Target, login: Login, roomId: number): Promise<true | undefined> {
  const reply = await beginUpload(target, login, FILE_BYTES, { room_id: String(roomId) });
  if (isFull(reply)) return true;
  await send(target, String(reply.headers.location), { method: 'DELETE', token: login.accessToken });
  return undefined;
}

/** Sends parts until one is refused; how far the answers say that the upload is. */
async function sendWhileFull(sendPart: (from: number) => Promise<HttpReply>, from: number): Promise<number> {
  for (let at = from; ; ) {
    const reply = await sendPart(at);
    if (isFull(reply)) return at;
    assert.equal(reply.status, 204, reply.text);
    at = offsetIn(reply);
    assert(at < FILE_BYTES, 'the whole file fitted on a full disk');
  }
}

function isFull({ status, json }: HttpReply): boolean {
  if (status === 201 || status === 204) return false;
  assert.equal(status, 507);
  assert.equal((json as { error?: string }).error, 'no space for files');
  return true;
}

function offsetIn({ headers }: HttpReply): number {
  return Number(headers['upload-offset']);
}

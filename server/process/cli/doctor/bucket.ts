/** Checks of the bucket of uploaded files. A small object is written, read and deleted. */
import { randomBytes } from 'node:crypto';
import { PlaceError } from '../../../data/blobs/place-error.ts';
import { Client } from '../../../data/blobs/s3/client.ts';
import { Objects } from '../../../data/blobs/s3/objects.ts';
import type { S3Settings } from '../../../platform/config.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

const BYTES = 1024;
/** Beyond this S3 refuses what is signed. */
const SKEW_MAX_MS = 15 * 60_000;
const SKEW_NOTABLE_MS = 60_000;
/** People who upload wait this long at the end of each request. */
const SLOW_MS = 1000;

export async function checkBucket(settings: S3Settings): Promise<Check[]> {
  const name = 'S3';
  const objects = new Objects(new Client(settings));
  try {
    const aheadMs = await objects.clockAhead();
    const ms = await timeToWrite(objects);
    const told = `${settings.url}; an object is written in ${ms.toFixed(0)} ms.`;
    const check =
      ms > SLOW_MS ? warning(name, `${told} Each part of an upload waits for that.`) : ok(name, told);
    return [check, ...clockTold(aheadMs)];
  } catch (error) {
    const said = error instanceof Error && error.cause instanceof PlaceError ? error.cause : error;
    return [problem(name, said instanceof PlaceError ? said.message : `${settings.url}: ${reasonOf(said)}.`)];
  }
}

async function timeToWrite(objects: Objects): Promise<number> {
  const object = `doctor/${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(BYTES);
  const from = performance.now();
  await objects.put(object, { length: BYTES, open: () => [bytes] });
  const ms = performance.now() - from;
  try {
    const chunks: Uint8Array[] = [];
    const found = await objects.get(object, { from: 1, to: BYTES });
    for await (const chunk of found ?? []) chunks.push(chunk);
    if (!Buffer.concat(chunks).equals(bytes.subarray(1)))
      throw new PlaceError('The bucket gives back other bytes than it got.');
    let isListed = false;
    for await (const { name } of objects.list(object)) isListed ||= name === object;
    if (!isListed)
      throw new PlaceError('The bucket does not list what was written a moment ago, and Roomful needs that.');
  } finally {
    await objects.delete(object);
  }
  return ms;
}

function clockTold(aheadMs: number): Check[] {
  const name = 'clock of S3';
  const told = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`;
  if (!(Math.abs(aheadMs) > SKEW_NOTABLE_MS)) return [];
  return [
    Math.abs(aheadMs) > SKEW_MAX_MS
      ? problem(name, `${told}: it refuses all requests. Set the clock.`)
      : warning(name, `${told}: beyond 15 minutes it refuses all requests. Set the clock.`),
  ];
}

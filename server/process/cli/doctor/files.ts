/** Checks of the folder of uploaded files. A scratch file tells how long the disk takes, and is deleted. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reserveOf } from '../../../features/files/disk-space.ts';
import type { ClamdAddress, FileSettings } from '../../../platform/config.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';
import { mayMake } from './folders.ts';

const GIB = 2 ** 30;
const SYNCS = 5;
const SYNC_BYTES = 4096;
/** People who upload wait this long at the end of each request. */
const SLOW_SYNC_MS = 100;

export async function checkFiles(settings: FileSettings): Promise<Check[]> {
  if (settings.fileBytes === 0) return [ok('files', 'Nothing can be uploaded: FILE_MAX_MIB is 0.')];
  return [...(await checkPlaces(settings)), ...(settings.clamd ? [await checkClamd(settings.clamd)] : [])];
}

async function checkPlaces(settings: FileSettings): Promise<Check[]> {
  if (settings.s3 === undefined) return await checkFolder(settings);
  const { checkBucket } = await import('./bucket.ts');
  // Files from before are in the folder.
  return [
    ...(await checkBucket(settings.s3)),
    ...(existsSync(settings.folder) ? await checkFolder(settings) : []),
  ];
}

async function checkFolder({ folder, totalBytes }: FileSettings): Promise<Check[]> {
  const name = 'files';
  if (!existsSync(folder))
    return [
      mayMake(folder)
        ? ok(name, `${folder} is not there yet; the first upload makes it.`)
        : problem(name, `${folder} is not there, and this user may not make it. Check FILES_DIR.`),
    ];
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      problem(
        name,
        `${folder} cannot be written by this user. Check FILES_DIR, and run as the user of the server.`,
      ),
    ];
  }
  return [await checkSync(folder), checkSpace(folder, totalBytes)];
}

async function checkClamd(address: ClamdAddress): Promise<Check> {
  const { Clamd } = await import('../../../features/files/clamd.ts');
  return await new Clamd(address).version().then(
    (version) => ok('clamd', version),
    (error) =>
      problem(
        'clamd',
        `It is away (${reasonOf(error)}): files wait for their check. Start it, or check CLAMD_URL.`,
      ),
  );
}

async function checkSync(folder: string): Promise<Check> {
  const name = 'files';
  const path = join(folder, `.doctor-${randomBytes(8).toString('hex')}`);
  try {
    const file = await open(path, 'wx', 0o600);
    const times: number[] = [];
    try {
      for (let count = 0; count < SYNCS; count++) {
        await file.write(Buffer.alloc(SYNC_BYTES), 0, SYNC_BYTES, count * SYNC_BYTES);
        const from = performance.now();
        await file.datasync();
        times.push(performance.now() - from);
      }
    } finally {
      await file.close();
    }
    const ms = times.sort((one, other) => one - other)[Math.floor(SYNCS / 2)] ?? 0;
    const told = `${folder}; a sync takes ${ms.toFixed(1)} ms.`;
    return ms > SLOW_SYNC_MS
      ? warning(name, `${told} Each part of an upload waits for one. Use a faster disk.`)
      : ok(name, told);
  } catch (error) {
    return problem(name, `Nothing can be kept in ${folder}: ${reasonOf(error)}.`);
  } finally {
    await rm(path, { force: true });
  }
}

function checkSpace(folder: string, totalBytes: number | undefined): Check {
  const name = 'space for files';
  const { blocks, bavail, bsize } = statfsSync(folder);
  const [total, free] = [blocks * bsize, bavail * bsize];
  const reserve = reserveOf({ total, free });
  const told = `${gib(free)} of ${gib(total)} are free`;
  if (free <= reserve)
    return warning(
      name,
      `${told}: uploads are refused, because the last ${gib(reserve)} are for what people write. Make space.`,
    );
  if (totalBytes !== undefined && totalBytes > total - reserve)
    return warning(
      name,
      `${told}, and FILES_TOTAL_MIB allows ${gib(totalBytes)}: the disk is full before that. Lower it.`,
    );
  return ok(name, `${told}${totalBytes === undefined ? '' : `; FILES_TOTAL_MIB allows ${gib(totalBytes)}`}.`);
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}

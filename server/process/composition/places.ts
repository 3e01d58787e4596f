/** The places of files that the settings name. */
import type { Blobs } from '../../data/blobs/blobs.ts';
import { createDiskBlobs } from '../../data/blobs/disk.ts';
import { Places } from '../../data/blobs/places.ts';
import type { Scanner } from '../../features/files/scanner.ts';
import type { FileSettings } from '../../platform/config.ts';

/** A bucket gets all new files. */
export async function openPlaces(settings: FileSettings): Promise<Places> {
  const disk = createDiskBlobs(settings.folder);
  const bucket = await openBucket(settings);
  return bucket ? new Places(bucket, disk) : new Places(disk);
}

/** Undefined: the settings name none, and none of its code is loaded. */
export async function openBucket({ s3 }: FileSettings): Promise<Blobs | undefined> {
  if (s3 === undefined) return undefined;
  const { S3Blobs } = await import('../../data/blobs/s3/s3.ts');
  return new S3Blobs(s3);
}

/** Undefined: the settings name none, and none of its code is loaded. */
export async function openScanner({ clamd }: FileSettings): Promise<Scanner | undefined> {
  if (clamd === undefined) return undefined;
  const { Clamd } = await import('../../features/files/clamd.ts');
  return new Clamd(clamd);
}

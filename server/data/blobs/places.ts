/**
 * All places where files are: new ones go to one of them, and each row names its own. So files stay reachable while they
 * are moved from a folder to a bucket, or back.
 */
import type { FilePlace } from '../storage/store.ts';
import type { Blobs, Entry } from './blobs.ts';
import { PlaceError } from './place-error.ts';

const UNSET: Readonly<Record<FilePlace, string>> = {
  disk: 'FILES_DIR is not set',
  s3: 'a file is in a bucket of S3, and S3_URL is not set',
};

export class Places {
  /** Where new files go. */
  readonly current: Blobs;
  readonly all: readonly Blobs[];

  constructor(current: Blobs, ...others: readonly Blobs[]) {
    this.current = current;
    this.all = [current, ...others];
  }

  /** Throws a sentence for a place that the settings do not name. */
  of(place: FilePlace): Blobs {
    const found = this.all.find((blobs) => blobs.place === place);
    if (!found) throw new PlaceError(`${UNSET[place]}.`);
    return found;
  }

  /** Whatever there is under the name, in all places. */
  async delete(name: string): Promise<void> {
    for (const blobs of this.all) await blobs.delete(name);
  }

  async *list(): AsyncGenerator<Entry, void> {
    for (const blobs of this.all) yield* blobs.list();
  }
}

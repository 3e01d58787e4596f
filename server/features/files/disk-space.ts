/** How much space files may take, so that there is always some for what people write. */
import { AppError } from '../../../protocol/errors.ts';
import type { Blobs } from '../../data/blobs/blobs.ts';

/** Without FILES_TOTAL_MIB. */
const PART_OF_DISK = 0.8;
/** What files leave free: this part of the disk, and no more than this number of bytes. */
const RESERVE = { part: 0.05, bytes: 256 * 1024 * 1024 };
/** How long it is believed what the disk has said. */
const BELIEVED_MS = 1000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

type Space = Awaited<ReturnType<Blobs['space']>>;

export class DiskSpace {
  readonly #blobs: Pick<Blobs, 'space'>;
  readonly #totalBytes: number | undefined;
  #asked: { at: number; space: Promise<Space> } | undefined;

  /** `totalBytes`: what the operator allows; undefined: a part of the disk. */
  constructor(blobs: Pick<Blobs, 'space'>, totalBytes: number | undefined) {
    this.#blobs = blobs;
    this.#totalBytes = totalBytes;
  }

  /** What all files together may take. */
  async totalBytes(): Promise<number> {
    if (this.#totalBytes !== undefined) return this.#totalBytes;
    const space = await this.#space();
    return space ? Math.floor(space.total * PART_OF_DISK) : NO_LIMIT;
  }

  /** Throws `no_space` when the disk would have too little left after this number of bytes. */
  async mustHave(bytes: number): Promise<void> {
    const space = await this.#space();
    if (!space) return;
    if (space.free - bytes < reserveOf(space)) throw new AppError('no_space', { retryAfterMs: 60_000 });
  }

  #space(): Promise<Space> {
    const now = performance.now();
    if (this.#asked === undefined || now - this.#asked.at > BELIEVED_MS)
      this.#asked = { at: now, space: this.#blobs.space() };
    return this.#asked.space;
  }
}

/** What files leave free on a disk. */
export function reserveOf({ total }: NonNullable<Space>): number {
  return Math.min(RESERVE.bytes, total * RESERVE.part);
}

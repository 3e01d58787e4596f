/**
 * Serving files: who may read the message of a file may have its bytes, as long as that is so. Nobody is told of a file
 * that they may not have.
 */
import { Readable } from 'node:stream';
import { AppError } from '../../../protocol/errors.ts';
import type { Places } from '../../data/blobs/places.ts';
import type { FileRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { ByteRange } from './range.ts';
import { StreamPlaces } from './stream-places.ts';

/** How often the rights of those are judged again who are being sent a file. */
const JUDGED_EVERY_MS = 1000;
/** A reader who is slower than this loses the connection, and goes on with a range. */
const SLOWEST_BYTES_PER_MS = 16;
const PATIENCE_MS = 30_000;

/** Null: somebody who is not signed in. */
export type FileReader = { readonly userId: number; readonly sessionId: number } | null;

export interface ServingParts {
  store: Pick<Store, 'servedFile'>;
  places: Places;
  /** Whether the session has ended. */
  hasEnded(sessionId: number): boolean;
  now: Now;
}

interface Sent {
  key: string;
  reader: FileReader;
  stream: Readable;
}

export class Serving {
  readonly #parts: ServingParts;
  readonly #sent = new Set<Sent>();
  readonly places = new StreamPlaces();
  #timer: NodeJS.Timeout | undefined;
  #isJudging = false;

  constructor(parts: ServingParts) {
    this.#parts = parts;
  }

  /** A file that is ready, of a message that the user may read now. Throws `file_not_found` for every other. */
  async find(key: string, userId: number | null): Promise<FileRow> {
    const { store, now } = this.#parts;
    const file = await store.servedFile({ key, userId, now: now() });
    if (!file) throw new AppError('file_not_found');
    return file;
  }

  /** Its bytes. They end before they are complete when the reader may not have them any more. */
  async send(file: FileRow, range: ByteRange, reader: FileReader): Promise<Readable> {
    const { key } = file;
    const bytes = await this.#bytesOf(file, range, reader);
    const stream = Readable.from(bytes, { objectMode: false });
    const sent = { key, reader, stream };
    const late = setTimeout(
      () => stream.destroy(),
      PATIENCE_MS + (range.to - range.from) / SLOWEST_BYTES_PER_MS,
    );
    late.unref();
    this.#sent.add(sent);
    this.#timer ??= setInterval(() => void this.#judgeAll(), JUDGED_EVERY_MS).unref();
    stream.once('close', () => {
      clearTimeout(late);
      this.#sent.delete(sent);
      if (this.#sent.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    return stream;
  }

  /** Whoever moves files deletes them at their old place after the row names the new one. */
  async #bytesOf({ key, place }: FileRow, range: ByteRange, reader: FileReader) {
    const { places } = this.#parts;
    try {
      return await places.of(place).read(key, range);
    } catch (cause) {
      const now = await this.find(key, reader?.userId ?? null);
      if (now.place !== place) return await places.of(now.place).read(key, range);
      // Deleted in this moment, or its place fails.
      if ((await places.of(place).size(key)) === undefined) throw new AppError('file_not_found', { cause });
      throw cause;
    }
  }

  /** One pass at a time, however long the database takes. */
  async #judgeAll(): Promise<void> {
    if (this.#isJudging) return;
    this.#isJudging = true;
    await this.#judge();
    this.#isJudging = false;
  }

  async #judge(): Promise<void> {
    const { hasEnded } = this.#parts;
    for (const { key, reader, stream } of this.#sent) {
      const isLost =
        (reader !== null && hasEnded(reader.sessionId)) ||
        (await this.find(key, reader?.userId ?? null).then(
          () => false,
          // While the database does not answer, nothing is known.
          (error) => error instanceof AppError && error.code === 'file_not_found',
        ));
      if (isLost) stream.destroy();
    }
  }
}

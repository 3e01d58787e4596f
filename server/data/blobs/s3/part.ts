/**
 * A part of an upload: it becomes an object when it is synced, and S3 has it for good then. Until then it is on this
 * machine, a short one in memory and a longer one in a file: S3 wants to know first how long an object is.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Part } from '../blobs.ts';
import { Collector } from '../collector.ts';
import type { Objects } from './objects.ts';
import type { Scratch } from './scratch.ts';

const READ_BYTES = 128 * 1024;

export interface PartPlace {
  objects: Objects;
  scratch: Scratch;
  /** The name of an object with this number of bytes. */
  nameOf(bytes: number): string;
}

export class S3Part implements Part {
  readonly #place: PartPlace;
  readonly #collector = new Collector();
  #file: FileHandle | undefined;
  /** Bytes in the file. */
  #filed = 0;

  constructor(place: PartPlace) {
    this.#place = place;
  }

  get written(): number {
    return this.#filed + this.#collector.bytes.length;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      rest = rest.subarray(this.#collector.take(rest));
      if (this.#collector.isFull) await this.#flush();
    }
  }

  async sync(): Promise<void> {
    const length = this.written;
    if (length === 0) return;
    await this.#place.objects.put(this.#place.nameOf(length), { length, open: () => this.#bytes() });
  }

  async close(): Promise<void> {
    this.#collector.release();
    await this.#file?.close();
    this.#file = undefined;
  }

  async #flush(): Promise<void> {
    this.#file ??= await this.#place.scratch.file();
    const { bytes } = this.#collector;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#filed + done);
      done += bytesWritten;
    }
    this.#filed += bytes.length;
    this.#collector.clear();
  }

  async *#bytes(): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; this.#file !== undefined && at < this.#filed; ) {
      const length = Math.min(READ_BYTES, this.#filed - at);
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('a part of an upload is shorter than it was');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    const { bytes } = this.#collector;
    // A copy: a request that was given up may still hold it when the memory is another part's.
    if (bytes.length > 0) yield Buffer.from(bytes);
  }
}

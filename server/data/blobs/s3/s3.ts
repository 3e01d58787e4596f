/**
 * Files in a bucket of S3. What comes of an upload is `parts/KEY/FROM-TO`, an object for each part that was synced. When
 * all are there, they become `sent/KEY`; what the check has made of it is `files/KEY`. So whoever is late with an older
 * part, or finishes an upload once more, never touches what was checked.
 */
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3Settings } from '../../../platform/config.ts';
import type { Blobs, Entry, Workspace } from '../blobs.ts';
import { PlaceError } from '../place-error.ts';
import { Client } from './client.ts';
import { Objects } from './objects.ts';
import { S3Part } from './part.ts';
import { chainOf, type PartObject, partBytesFor, type Section, type Slice, sectionsOf } from './pieces.ts';
import { Scratch } from './scratch.ts';

const KEY = /^[A-Za-z0-9_-]{4,64}$/;
const PART = /^parts\/([A-Za-z0-9_-]{4,64})\/([0-9]{16})-([0-9]{16})$/;
const WHOLE = /^(?:files|sent)\/([A-Za-z0-9_-]{4,64})$/;
/** Of something that was left behind: uploads in parts that were begun, and not completed. */
const UPLOADS = '.uploads';
/** A file up to this size is sent in one request. */
const ONE_REQUEST_BYTES = 64 * 1024 * 1024;
/** Sections of one file that are copied at the same time. */
const AT_ONCE = 4;

export class S3Blobs implements Blobs {
  readonly place = 's3';
  readonly objects: Objects;
  readonly #scratch: Scratch;

  constructor(settings: S3Settings) {
    this.objects = new Objects(new Client(settings));
    this.#scratch = new Scratch(settings.scratch);
  }

  async append(key: string, offset: number): Promise<S3Part> {
    checkKey(key);
    const { objects } = this;
    const nameOf = (bytes: number) => `parts/${key}/${digits(offset)}-${digits(offset + bytes)}`;
    return new S3Part({ objects, scratch: this.#scratch, nameOf });
  }

  async finish(key: string, size: number): Promise<void> {
    checkKey(key);
    const parts = await this.#partsOf(key);
    const { slices, reached } = chainOf(parts, size);
    if (reached < size) {
      // It was finished before, and the process died before its row said so.
      const done = await this.objects.head(`sent/${key}`);
      if (done?.size !== size)
        throw new PlaceError(`parts/${key}/ has ${reached} bytes, and should have ${size}.`);
    } else await this.#join(`sent/${key}`, slices, size);
    await this.#deleteAll(parts);
  }

  async size(key: string): Promise<number | undefined> {
    const whole = await this.#wholeOf(key);
    if (whole) return whole.size;
    const { reached } = chainOf(await this.#partsOf(key), Number.MAX_SAFE_INTEGER);
    return reached === 0 ? undefined : reached;
  }

  async read(key: string, range: { from: number; to: number }): Promise<AsyncIterable<Uint8Array>> {
    checkKey(key);
    if (range.to <= range.from) return NOTHING;
    const found =
      (await this.objects.get(`files/${key}`, range)) ?? (await this.objects.get(`sent/${key}`, range));
    if (!found) throw new PlaceError(`files/${key} is not in the bucket.`);
    return found;
  }

  async workspace(key: string): Promise<Workspace> {
    const size = (await this.#wholeOf(key))?.size;
    if (size === undefined) throw new PlaceError(`sent/${key} is not in the bucket.`);
    const { path: folder, release } = await this.#scratch.room(2 * size);
    try {
      const path = join(folder, 'bytes');
      await writeFile(path, await this.read(key, { from: 0, to: size }), { flag: 'wx', mode: 0o600 });
      const { size: found } = await stat(path);
      if (found !== size) throw new PlaceError(`Of ${key} came ${found} of ${size} bytes.`);
      return { path, newPath: join(folder, 'new'), release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async replace(key: string, newPath: string): Promise<void> {
    await this.store(key, newPath);
    await this.objects.delete(`sent/${key}`);
    await this.#deleteAll(await this.#partsOf(key));
  }

  async store(key: string, path: string): Promise<void> {
    checkKey(key);
    const { size } = await stat(path);
    const name = `files/${key}`;
    const body = (from: number, to: number) => ({
      length: to - from,
      open: () => (to > from ? createReadStream(path, { start: from, end: to - 1 }) : []),
    });
    if (size <= ONE_REQUEST_BYTES) return await this.objects.put(name, body(0, size));
    const length = Math.max(ONE_REQUEST_BYTES, partBytesFor(size));
    const pieces = Array.from({ length: Math.ceil(size / length) }, (_, index) =>
      body(index * length, Math.min(size, (index + 1) * length)),
    );
    await this.#inParts(name, pieces, (id, part, piece) => this.objects.putPart(name, id, part, piece));
  }

  async delete(name: string): Promise<void> {
    const key = name.endsWith(UPLOADS) ? name.slice(0, -UPLOADS.length) : name;
    checkKey(key);
    if (key !== name) return await this.#abortUploads(key);
    for (const whole of ['files', 'sent']) await this.objects.delete(`${whole}/${key}`);
    await this.#deleteAll(await this.#partsOf(key));
  }

  async *list(): AsyncGenerator<Entry, void> {
    for (const prefix of ['files/', 'sent/'])
      for await (const { name, changedAt } of this.objects.list(prefix)) {
        const key = WHOLE.exec(name)?.[1];
        if (key !== undefined) yield { key, changedAt };
      }
    // In the order of their names: parts of one file follow each other.
    let last: Entry | undefined;
    for await (const { name, changedAt } of this.objects.list('parts/')) {
      const key = PART.exec(name)?.[1];
      if (key === undefined) continue;
      if (last && last.key !== key) yield last;
      last = { key, changedAt: last?.key === key ? Math.max(last.changedAt, changedAt) : changedAt };
    }
    if (last) yield last;
    for await (const { name, begunAt } of this.objects.openUploads('')) {
      const key = WHOLE.exec(name)?.[1];
      if (key !== undefined) yield { key: `${key}${UPLOADS}`, changedAt: begunAt };
    }
  }

  async space(): Promise<undefined> {
    return undefined;
  }

  async #wholeOf(key: string): Promise<{ size: number } | undefined> {
    checkKey(key);
    return (await this.objects.head(`files/${key}`)) ?? (await this.objects.head(`sent/${key}`));
  }

  async #partsOf(key: string): Promise<PartObject[]> {
    const parts: PartObject[] = [];
    for await (const { name, size } of this.objects.list(`parts/${key}/`)) {
      const [, , from, to] = PART.exec(name) ?? [];
      if (from !== undefined && to !== undefined && Number(to) - Number(from) === size)
        parts.push({ name, from: Number(from), to: Number(to) });
    }
    return parts;
  }

  async #deleteAll(parts: readonly PartObject[]): Promise<void> {
    await eachOf(parts, ({ name }) => this.objects.delete(name));
  }

  async #join(name: string, slices: readonly Slice[], size: number): Promise<void> {
    const sections = sectionsOf(slices, size);
    const [first, ...more] = sections;
    if (!first) await this.objects.put(name, { length: 0, open: () => [] });
    else if (more.length === 0) await this.objects.put(name, this.#bodyOf(first));
    else
      await this.#inParts(name, sections, async (id, part, section) => {
        const [slice, ...others] = section.slices;
        return others.length === 0
          ? await this.objects.copyPart(name, id, part, slice)
          : await this.objects.putPart(name, id, part, this.#bodyOf(section));
      });
  }

  #bodyOf({ slices, length }: Section) {
    const { objects } = this;
    return {
      length,
      async *open() {
        for (const { source, from, to } of slices) {
          const bytes = await objects.get(source, { from, to });
          if (!bytes) throw new PlaceError(`${source} is not in the bucket.`);
          yield* bytes;
        }
      },
    };
  }

  async #inParts<Piece>(
    name: string,
    pieces: readonly Piece[],
    send: (id: string, part: number, piece: Piece) => Promise<string>,
  ): Promise<void> {
    const id = await this.objects.beginUpload(name);
    try {
      const etags: string[] = [];
      await eachOf(pieces, async (piece, index) => {
        etags[index] = await send(id, index + 1, piece);
      });
      await this.#complete(name, id, etags);
    } catch (error) {
      await this.objects.abortUpload(name, id).catch(() => undefined);
      throw error;
    }
  }

  /** A try whose answer was lost may have completed it, and the next one finds no such upload. */
  async #complete(name: string, id: string, etags: readonly string[]): Promise<void> {
    const before = await this.objects.head(name);
    await this.objects.completeUpload(name, id, etags).catch(async (error: unknown) => {
      if (before !== undefined || (await this.objects.head(name)) === undefined) throw error;
    });
  }

  async #abortUploads(key: string): Promise<void> {
    for (const whole of ['files', 'sent'])
      for await (const { name, id } of this.objects.openUploads(`${whole}/${key}`))
        await this.objects.abortUpload(name, id);
  }
}

const NOTHING: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {
    // No bytes.
  },
};

/** Some at a time. The first failure is that of all, and no other one begins after it. */
async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  let isFailed = false;
  const worker = async () => {
    for (const [index, item] of left) {
      if (isFailed) return;
      await work(item, index).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function digits(offset: number): string {
  return String(offset).padStart(16, '0');
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new PlaceError(`${JSON.stringify(key)} is no key of a file`);
}

/**
 * Uploads: bytes that come in parts, over connections that break. An offset is answered once the bytes before it are on
 * the disk and the database says so (G18). What arrived before a cut counts, too.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../../../protocol/errors.ts';
import {
  FILE_PREVIEW_MAX,
  FILES_UNSENT_MAX,
  UPLOAD_CHUNK_MAX,
  UPLOAD_TTL_S,
  UPLOADS_OPEN_MAX,
} from '../../../protocol/limits.ts';
import type { FilePurpose, UploadMetadata } from '../../../protocol/rest/files.ts';
import type { Part } from '../../data/blobs/blobs.ts';
import type { Places } from '../../data/blobs/places.ts';
import type { FileRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { measures } from '../../platform/metrics/measures.ts';
import type { FileInfo } from '../../rules/attached-files.ts';
import type { DiskSpace } from './disk-space.ts';

export interface UploadsParts {
  store: Pick<Store, 'createFile' | 'advanceFile' | 'ownFile' | 'deleteUpload'>;
  places: Places;
  space: DiskSpace;
  fileBytes: number;
  userBytes: number;
  now: Now;
  /** A file is complete, and its bytes are to be looked at. */
  onComplete(file: FileRow): void;
  /** A file was begun, so that there is something to look after. */
  onBegun(): void;
  /** A file was deleted, and its bytes remain. */
  onDeleted(): void;
}

/** What is said of a new file. `room_id`: null for a picture, which has none. */
export type NewUpload = Omit<UploadMetadata, 'purpose' | 'room_id'> & {
  purpose: FilePurpose;
  room_id: number | null;
};

/** Bytes of a request on their way to a file. */
export interface Incoming {
  chunks: AsyncIterable<Uint8Array>;
  /** As the request says; undefined: it does not. */
  length: number | undefined;
  /** Cuts the request off. */
  cut(): void;
  /** Throws `invalid_token` once the session of the request has ended: bytes take their time to come. */
  mustBeSignedIn(): void;
}

/** A part that is being written. */
interface Running {
  cut(): void;
  done: Promise<void>;
}

export class Uploads {
  readonly #parts: UploadsParts;
  /** By key: one part of a file at a time. */
  readonly #running = new Map<string, Running>();
  #isStopped = false;

  constructor(parts: UploadsParts) {
    this.#parts = parts;
  }

  /** Parts that are being written now. */
  get open(): number {
    return this.#running.size;
  }

  get fileBytes(): number {
    return this.#parts.fileBytes;
  }

  async create(userId: number, size: number, metadata: NewUpload): Promise<FileRow> {
    const { store, places, space, fileBytes, userBytes, now } = this.#parts;
    const { purpose, name, type, alt, blur } = metadata;
    if (fileBytes === 0) throw new AppError('not_allowed');
    if (size > (purpose === 'preview' ? Math.min(FILE_PREVIEW_MAX, fileBytes) : fileBytes))
      throw new AppError('payload_too_large');
    const totalBytes = await space.totalBytes();
    await space.mustHave(size);
    const key = randomBytes(16).toString('base64url');
    const info: FileInfo = {
      ...(alt !== undefined && alt !== '' && { alt }),
      ...(blur !== undefined && { blur }),
    };
    const { outcome } = await store.createFile({
      ...{
        key,
        purpose,
        ownerId: userId,
        roomId: metadata.room_id,
        ofKey: metadata.of ?? null,
        name,
        type,
        size,
      },
      ...{ info: JSON.stringify(info), place: places.current.place, now: now(), expiresAt: this.#expiry() },
      limits: { userBytes, totalBytes, open: UPLOADS_OPEN_MAX, unattached: FILES_UNSENT_MAX },
    });
    // Somebody who was suspended or removed in this moment.
    if (outcome === 'user_not_found') throw new AppError('invalid_token');
    if (outcome !== 'created') throw new AppError(outcome);
    this.#parts.onBegun();
    // Nothing will come for an empty file, so it is complete.
    if (size === 0) return await this.append(key, userId, 0, NOTHING);
    return await this.find(key, userId);
  }

  /** A file of this user that is not attached. Throws `file_not_found` for all others, in the same words. */
  async find(key: string, userId: number): Promise<FileRow> {
    const file = await this.#parts.store.ownFile({ key, ownerId: userId });
    if (!file || file.expiresAt === null || file.expiresAt <= this.#parts.now())
      throw new AppError('file_not_found');
    return file;
  }

  /** The same, once a part of it that is on its way has ended: its client asks how far it got, and begins another. */
  async status(key: string, userId: number): Promise<FileRow> {
    const file = await this.find(key, userId);
    if (!this.#running.has(key)) return file;
    await this.#endRunning(key);
    return await this.find(key, userId);
  }

  /**
   * Appends what comes, and resolves when it is safe: the row says how far the upload is then. A part of the same file
   * that is still on its way is ended first; what it had counts.
   */
  async append(key: string, userId: number, offset: number, incoming: Incoming): Promise<FileRow> {
    await this.find(key, userId);
    while (this.#running.has(key)) await this.#endRunning(key);
    if (this.#isStopped) throw new AppError('service_unavailable', { retryAfterMs: 1000 });
    let finished = () => {};
    const done = new Promise<void>((resolve) => {
      finished = resolve;
    });
    this.#running.set(key, { cut: () => incoming.cut(), done });
    try {
      // Read again: the part before may have moved it on.
      const file = await this.find(key, userId);
      if (file.state !== 'uploading' || file.received !== offset) throw new AppError('upload_offset');
      return await this.#write(file, incoming);
    } finally {
      this.#running.delete(key);
      finished();
    }
  }

  async delete(key: string, userId: number): Promise<void> {
    await this.find(key, userId);
    await this.#endRunning(key);
    if (!(await this.#parts.store.deleteUpload({ key, ownerId: userId })))
      throw new AppError('file_not_found');
    this.#parts.onDeleted();
  }

  /** A file that comes whole in one request. When it does not come whole, nothing stays. */
  async whole(userId: number, metadata: NewUpload, incoming: Incoming): Promise<FileRow> {
    const { length: size } = incoming;
    if (size === undefined) throw new AppError('invalid_payload');
    if (size > UPLOAD_CHUNK_MAX) throw new AppError('payload_too_large');
    const file = await this.create(userId, size, metadata);
    if (size === 0) return file;
    try {
      const { received, ...row } = await this.append(file.key, userId, 0, incoming);
      if (received < size) throw new AppError('bad_request');
      return { ...row, received };
    } catch (error) {
      await this.delete(file.key, userId).catch(() => undefined);
      throw error;
    }
  }

  /** Ends all parts that are on their way; what they had is safe then. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(Array.from(this.#running.keys(), (key) => this.#endRunning(key)));
  }

  async #endRunning(key: string): Promise<void> {
    const running = this.#running.get(key);
    running?.cut();
    await running?.done;
  }

  async #write(file: FileRow, { chunks, length, mustBeSignedIn }: Incoming): Promise<FileRow> {
    const { places, space } = this.#parts;
    const most = Math.min(UPLOAD_CHUNK_MAX, file.size - file.received);
    if ((length ?? 0) > most) throw new AppError('payload_too_large');
    await space.mustHave(length ?? 0);
    const part = await places.of(file.place).append(file.key, file.received);
    try {
      const isTooLong = await writeAll(part, chunks, most);
      mustBeSignedIn();
      if (part.written === 0 && file.size > 0) return refuseLong(file, isTooLong);
      await part.sync();
      return refuseLong(await this.#advance(file, part.written), isTooLong);
    } finally {
      await part.close();
    }
  }

  async #advance(file: FileRow, bytes: number): Promise<FileRow> {
    const { store, places, onComplete } = this.#parts;
    const { key, received: from, size } = file;
    const to = from + bytes;
    if (to === size) {
      await places
        .of(file.place)
        .finish(key, size)
        .catch(async (error) => {
          await this.#mustBeThere(file);
          throw error;
        });
    }
    const row = await store.advanceFile({ key, from, to, expiresAt: this.#expiry() });
    if (!row) {
      await this.#mustBeThere(file);
      // Another process has taken it on.
      throw new AppError('upload_offset');
    }
    measures.uploadBytes += bytes;
    if (row.state === 'checking') onComplete(row);
    return row;
  }

  /** Throws `file_not_found` if it was deleted meanwhile: what has just been written may have come behind that. */
  async #mustBeThere({ key, ownerId }: FileRow): Promise<void> {
    const { store, places } = this.#parts;
    if (await store.ownFile({ key, ownerId })) return;
    await places.delete(key);
    throw new AppError('file_not_found');
  }

  /** Counted from the last byte that came, so that whoever comes back goes on. */
  #expiry(): number {
    return this.#parts.now() + UPLOAD_TTL_S * 1000;
  }
}

const NOTHING: Incoming = {
  chunks: {
    async *[Symbol.asyncIterator]() {
      // No bytes.
    },
  },
  length: 0,
  cut() {},
  mustBeSignedIn() {},
};

/** Writes what comes until it ends, or until the connection does. True when more came than may: the rest is dropped. */
async function writeAll(part: Part, chunks: AsyncIterable<Uint8Array>, most: number): Promise<boolean> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch(() => undefined);
    if (!next || next.done) return false;
    if (part.written + next.value.length > most) return true;
    await part.write(next.value);
  }
}

function refuseLong(file: FileRow, isTooLong: boolean): FileRow {
  if (isTooLong) throw new AppError('payload_too_large');
  return file;
}

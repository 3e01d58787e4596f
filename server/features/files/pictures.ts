/** Small pictures of people and of the server: each comes in one request, and is checked before it is answered. */
import { AppError } from '../../../protocol/errors.ts';
import { PICTURE_MAX, PICTURE_SIDE_MAX } from '../../../protocol/limits.ts';
import type { FileKind } from '../../../protocol/media/kinds.ts';
import type { FilePurpose } from '../../../protocol/rest/files.ts';
import type { FileRow, Store } from '../../data/storage/store.ts';
import { infoOf } from '../../rules/attached-files.ts';
import type { Checker } from './checker.ts';
import type { Incoming, Uploads } from './uploads.ts';

const KINDS: ReadonlySet<FileKind | undefined> = new Set(['png', 'jpeg', 'webp', 'gif', 'avif']);

/** What a picture may be for. */
export type PicturePurpose = Exclude<FilePurpose, 'message' | 'preview' | 'link'>;

export interface PicturesParts {
  store: Pick<Store, 'ownFile'>;
  uploads: Uploads;
  checker: Checker;
}

export class Pictures {
  readonly #parts: PicturesParts;

  constructor(parts: PicturesParts) {
    this.#parts = parts;
  }

  /**
   * Stores a picture; `use` gives it to what has it from now on. When it is not used, nothing of it stays. Throws
   * `invalid_picture` for all else than a PNG, JPEG, WebP, GIF or AVIF of at most 512 × 512, and `payload_too_large`.
   */
  async take<T>(
    userId: number,
    purpose: PicturePurpose,
    incoming: Incoming,
    use: (key: string) => Promise<T>,
  ): Promise<T> {
    const { uploads } = this.#parts;
    if ((incoming.length ?? 0) > PICTURE_MAX) throw new AppError('payload_too_large');
    const metadata = { purpose, room_id: null, name: purpose, type: 'application/octet-stream' };
    const { key } = await uploads.whole(userId, metadata, incoming);
    try {
      await this.#mustBePicture(key, userId);
      // It may have waited for its check.
      incoming.mustBeSignedIn();
      return await use(key);
    } catch (error) {
      await uploads.delete(key, userId).catch(() => undefined);
      throw error;
    }
  }

  async #mustBePicture(key: string, userId: number): Promise<void> {
    const { store, checker } = this.#parts;
    await checker.settled(key);
    const file = await store.ownFile({ key, ownerId: userId });
    if (file?.state === 'checking') throw new AppError('service_unavailable', { retryAfterMs: 1000 });
    if (!file || !isPicture(file)) throw new AppError('invalid_picture');
  }
}

function isPicture(file: FileRow): boolean {
  const { kind, width = 0, height = 0 } = infoOf(file);
  const longest = Math.max(width, height);
  return file.state === 'ready' && KINDS.has(kind) && longest > 0 && longest <= PICTURE_SIDE_MAX;
}

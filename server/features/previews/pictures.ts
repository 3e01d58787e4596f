/** The pictures of previews, as files of the messages that show them. */
import { AppError } from '../../../protocol/errors.ts';
import type { LinkPreview } from '../../../protocol/link-previews.ts';
import type { FileKind } from '../../../protocol/media/kinds.ts';
import type { Places } from '../../data/blobs/places.ts';
import type { FileRow, PreviewTask, Store } from '../../data/storage/store.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import { infoOf } from '../../rules/attached-files.ts';
import type { Checker } from '../files/checker.ts';
import type { Uploads } from '../files/uploads.ts';
import { PICTURE_BYTES, type Picture } from './fetcher.ts';

const KINDS: ReadonlySet<FileKind | undefined> = new Set(['jpeg', 'png', 'gif', 'webp', 'avif']);
/** Smaller ones are no pictures: they count visitors, or are marks of the site. */
const SIDE_MIN = 48;
const SIDE_MAX = 16_384;
/** What a browser may have to decode, all pictures of an animation counted. */
const PIXELS_MAX = 24_000_000;

export type ShownPicture = NonNullable<LinkPreview['image']>;

export interface LinkPicturesParts {
  store: Pick<Store, 'ownFile'>;
  uploads: Pick<Uploads, 'whole' | 'delete'>;
  checker: Pick<Checker, 'settled'>;
  places: Places;
  log: Logger;
}

export class LinkPictures {
  readonly #parts: LinkPicturesParts;
  readonly #onError: (error: unknown) => void;

  constructor(parts: LinkPicturesParts) {
    this.#parts = parts;
    this.#onError = throttled((err: unknown, count) =>
      parts.log.warn({ err, count }, 'pictures of links could not be stored'),
    );
  }

  /**
   * A file of the author in the room of the task, checked and without what it tells of its place. `unfit`: it is no
   * picture that may be shown. `refused`: there is no space for a file of this author.
   */
  async store(
    { bytes, type }: Picture,
    { userId, roomId }: PreviewTask,
  ): Promise<ShownPicture | 'unfit' | 'refused'> {
    const { uploads, checker, store } = this.#parts;
    const metadata = { purpose: 'link' as const, room_id: roomId, name: 'picture', type };
    try {
      const { key } = await uploads.whole(userId, metadata, incoming(bytes));
      await checker.settled(key);
      const file = await store.ownFile({ key, ownerId: userId });
      const shown = file && shownOf(file);
      if (!shown) await this.drop([key], userId);
      return shown ?? (file?.state === 'checking' ? 'refused' : 'unfit');
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_unavailable') throw error;
      if (!(error instanceof AppError)) this.#onError(error);
      return 'refused';
    }
  }

  /** The bytes of one that was stored before; undefined: it is gone. */
  async bytesOf({ key, ownerId }: { key: string; ownerId: number }): Promise<Picture | undefined> {
    const { store, places } = this.#parts;
    const file = await store.ownFile({ key, ownerId });
    if (file?.purpose !== 'link' || file.state !== 'ready' || file.size > PICTURE_BYTES) return undefined;
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await places.of(file.place).read(key, { from: 0, to: file.size }))
        chunks.push(chunk);
      return { bytes: Buffer.concat(chunks), type: file.type };
    } catch {
      // Deleted in this moment, or its place fails: it is fetched again.
      return undefined;
    }
  }

  /** Deletes those that no message has. */
  async drop(keys: readonly string[], userId: number): Promise<void> {
    for (const key of keys)
      await this.#parts.uploads.delete(key, userId).catch((error) => {
        // It may be gone already.
        if (!(error instanceof AppError)) this.#onError(error);
      });
  }
}

function shownOf(file: FileRow): ShownPicture | undefined {
  const { kind, width = 0, height = 0, frames = 1 } = infoOf(file);
  const [shortest, longest] = [Math.min(width, height), Math.max(width, height)];
  const isFit = shortest >= SIDE_MIN && longest <= SIDE_MAX && width * height * frames <= PIXELS_MAX;
  return file.state === 'ready' && KINDS.has(kind) && isFit ? { key: file.key, width, height } : undefined;
}

function incoming(bytes: Buffer) {
  return {
    chunks: (async function* () {
      yield bytes;
    })(),
    length: bytes.length,
    cut() {},
    mustBeSignedIn() {},
  };
}

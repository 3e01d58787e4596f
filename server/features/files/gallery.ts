/** The files of a room, as a list. */
import { AppError } from '../../../protocol/errors.ts';
import { ROOM_FILES_PAGE } from '../../../protocol/limits.ts';
import { KINDS } from '../../../protocol/media/kinds.ts';
import type { FileFamily, RoomFilesPage } from '../../../protocol/rest/files.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { attachedFiles } from '../../rules/attached-files.ts';

export interface GalleryQuery {
  roomId: number;
  userId: number;
  kind?: FileFamily | undefined;
  beforeId?: number | undefined;
}

const TYPES = Object.values(KINDS).filter(({ family }) => family !== 'other');

export class Gallery {
  readonly #parts: { store: Pick<Store, 'roomFiles'>; now: Now };

  constructor(parts: { store: Pick<Store, 'roomFiles'>; now: Now }) {
    this.#parts = parts;
  }

  /** Throws `room_not_found`. A page may have few files, or none, and the list go on. */
  async page({ kind, ...of }: GalleryQuery): Promise<RoomFilesPage> {
    const { store, now } = this.#parts;
    const found = await store.roomFiles({ ...of, types: typesOf(kind), limit: ROOM_FILES_PAGE, now: now() });
    if (!found) throw new AppError('room_not_found');
    const { files, previews, lastId } = found;
    return {
      files: files.flatMap((row) =>
        attachedFiles([row.key], [row, ...previews]).map((file) => ({
          ...file,
          id: row.id,
          message_id: row.messageId ?? 0,
          user_id: row.ownerId,
          created_at: new Date(row.createdAt).toISOString(),
        })),
      ),
      next_before_id: lastId ?? null,
    };
  }
}

function typesOf(kind: FileFamily | undefined) {
  if (kind === undefined) return undefined;
  if (kind === 'other') return { areNot: TYPES.map(({ type }) => type) };
  return { are: TYPES.filter(({ family }) => family === kind).map(({ type }) => type) };
}

/** What is known of a file besides its columns, and the file as its owner sees it. */
import type { FileKind } from '../../../protocol/media/kinds.ts';
import type { UploadedFile } from '../../../protocol/rest/files.ts';
import type { FileRow } from '../../data/storage/store.ts';

/** `info` of a row. */
export interface FileInfo {
  alt?: string;
  /** By its bytes; known once it is ready. Whether it may be shown where it is depends on that alone. */
  kind?: FileKind;
  width?: number;
  height?: number;
  /** Pictures of an animation, when there are more than one. */
  frames?: number;
  duration_ms?: number;
  /** Why it was refused. */
  reason?: NonNullable<UploadedFile['reason']>;
}

export function infoOf({ info }: Pick<FileRow, 'info'>): FileInfo {
  return JSON.parse(info) as FileInfo;
}

/** Of a row that is not deleted. */
export function toUploadedFile(row: FileRow): UploadedFile {
  const { key, purpose, name, type, size, sha256 } = row;
  const { alt, width, height, duration_ms, reason } = infoOf(row);
  return {
    ...{ key, purpose, room_id: row.roomId, name, type, size, offset: row.received },
    state: row.state === 'deleted' ? 'refused' : row.state,
    created_at: new Date(row.createdAt).toISOString(),
    expires_at: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
    ...{ alt, width, height, duration_ms, reason },
    ...(sha256 !== null && { sha256 }),
  };
}

/** A file as its owner sees it. */
import type { UploadedFile } from '../../../protocol/rest/files.ts';
import type { FileRow } from '../../data/storage/store.ts';
import { infoOf } from '../../rules/attached-files.ts';

/** Of a row that is not deleted. */
export function toUploadedFile(row: FileRow): UploadedFile {
  const { key, purpose, name, type, size, sha256 } = row;
  const { alt, blur, width, height, duration_ms, reason } = infoOf(row);
  return {
    ...{ key, purpose, room_id: row.roomId, name, type, size, offset: row.received },
    state: row.state === 'deleted' ? 'refused' : row.state,
    created_at: new Date(row.createdAt).toISOString(),
    expires_at: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
    ...{ alt, blur, width, height, duration_ms, reason },
    ...(sha256 !== null && { sha256 }),
  };
}

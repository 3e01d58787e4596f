/**
 * Files that people upload. A file belongs to its owner alone until it is attached; until then it has a time at which it
 * expires. Usage counts every row, whatever its state, so a row that is marked as deleted still counts until its bytes
 * are gone and `forgetFiles` has deleted it.
 */
import type { FilePurpose, FileState } from '../../../../protocol/rest/files.ts';
import type { MessageRow } from '../../../rules/rows.ts';

export interface FileRow {
  id: number;
  /** 128 random bits, as base64url. */
  key: string;
  purpose: FilePurpose;
  ownerId: number;
  roomId: number | null;
  messageId: number | null;
  /** The key of the file that this one is a preview of. */
  ofKey: string | null;
  name: string;
  /** As its sender says, until its bytes have been looked at. */
  type: string;
  size: number;
  /** Bytes that are on the disk. */
  received: number;
  /** Of the bytes that are kept, in hexadecimal. Null: they have not been looked at. */
  sha256: string | null;
  /** JSON: what else is known of it. */
  info: string;
  state: FileState | 'deleted';
  place: FilePlace;
  createdAt: number;
  /** Null: it is attached to something. */
  expiresAt: number | null;
}

/** Where the bytes are. */
export type FilePlace = 'disk' | 's3';

export interface NewFile {
  key: string;
  purpose: FilePurpose;
  ownerId: number;
  /** Null: it is a picture of the person or of the server. */
  roomId: number | null;
  ofKey: string | null;
  name: string;
  type: string;
  size: number;
  info: string;
  place: FilePlace;
  expiresAt: number;
  now: number;
  limits: {
    /** Sums of sizes. */
    userBytes: number;
    totalBytes: number;
    /** Uploads of one user that are not complete. This limit and the next one leave out the pictures of links. */
    open: number;
    /** Files of one user that are not attached, the incomplete ones included. */
    unattached: number;
  };
}

export interface FileWrites {
  /**
   * Judges whether the owner may post in the room, if there is one, and takes the quota. `too_many`: a limit of this user. `no_space`: the
   * limit of the server. `file_not_found`: what it is a preview of is no unattached file of the owner in this room.
   */
  createFile(file: NewFile): {
    outcome:
      | 'created'
      | 'room_not_found'
      | 'not_allowed'
      | 'user_not_found'
      | 'file_not_found'
      | 'too_many'
      | 'no_space';
  };
  /**
   * Bytes up to `to` are on the disk. With the last one the state is `checking`. Undefined: the upload was not at `from`,
   * or there is no such upload any more.
   */
  advanceFile(of: { key: string; from: number; to: number; expiresAt: number }): FileRow | undefined;
  /**
   * What became of a check. Not settled: the file was not being checked any more, and nothing has changed. `message`: it
   * has the file, and has changed. `info`: what was found; what its sender has said stays.
   */
  settleFile(of: {
    key: string;
    /** Of the file. */
    roomId: number | null;
    result:
      | { state: 'ready'; size: number; type: string; sha256: string; info: string }
      /** Its bytes are gone, and count no more. */
      | { state: 'refused'; info: string };
  }): { isSettled: boolean; message?: MessageRow };
  /** The bytes of a file that is ready are at the new place, too. False: it is not ready, or elsewhere. */
  moveFile(of: { key: string; from: FilePlace; to: FilePlace }): boolean;
  /** Deletes what the owner has uploaded and not attached, with the previews of it; false when there is no such file. */
  deleteUpload(of: { key: string; ownerId: number }): boolean;
  /** Marks files as deleted that have expired, at most `limit`; how many. */
  expireFiles(of: { now: number; limit: number }): number;
  /** The bytes of these deleted files are gone: so are their rows, and what they count. Others stay. */
  forgetFiles(of: { keys: readonly string[] }): void;
}

export interface FileReads {
  /** Not a deleted one. */
  ownFile(of: { key: string; ownerId: number }): FileRow | undefined;
  /**
   * A file that is ready, and that a message has, of a room that the user may read; or a picture that a person or the
   * server has, which everybody may see. `userId` null: somebody who is not signed in, and sees the server's alone.
   */
  servedFile(of: { key: string; userId: number | null; now: number }): FileRow | undefined;
  /**
   * Files of messages of a room, the latest first, of these types or of none of them. A part of them is looked at:
   * `lastId` is where it ended, undefined at the end of the list. Undefined: the room is hidden from the user.
   */
  roomFiles(of: {
    roomId: number;
    userId: number;
    types?: { are: readonly string[] } | { areNot: readonly string[] } | undefined;
    beforeId?: number | undefined;
    limit: number;
    now: number;
  }): { files: FileRow[]; previews: FileRow[]; lastId: number | undefined } | undefined;
  /** What is to be done about files, at most `limit` of each, the oldest first. */
  filesDue(of: { now: number; limit: number }): {
    /** The server has had a file. */
    hasFiles: boolean;
    /** Keys. */
    deleted: string[];
    checking: FileRow[];
    /** When the first of those expired that have and are not deleted; null: none has. */
    expiredAt: number | null;
  };
  /** Files after this key, by key. */
  filesByKey(of: {
    after: string;
    limit: number;
  }): Pick<FileRow, 'key' | 'state' | 'received' | 'size' | 'sha256' | 'place'>[];
  /** Those of these keys that have a row. */
  knownFiles(of: { keys: readonly string[] }): string[];
  /** Without those that are ready, whose number is the rest of `files`. */
  fileCounts(): Record<Exclude<FileRow['state'], 'ready'> | 'files' | 'bytes', number>;
}

/** Requests about files. Not part of `ChatApi`, so that a page loads it when needed. */
import type { AttachedFile } from '../../protocol/attached-files.ts';
import type { Message } from '../../protocol/events.ts';
import type { FileFamily, RoomFile, RoomFilesPage, UploadedFile } from '../../protocol/rest/files.ts';
import { checkedPaths } from './checked-paths.ts';
import { isNatural, isText, listOf, nullable, oneOf, some } from './checks.ts';
import { queryString } from './http.ts';
import type { Requests } from './requests.ts';
import { isMessage } from './responses.ts';

/** A file that is to be uploaded. Its type is that of `bytes`. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Blob;
  /** Stands for the file where it cannot be seen. */
  readonly alt?: string | undefined;
}

/** Every method rejects with an `ApiError`. */
export interface FilesApi {
  /** Uploads a file of 8 MiB at most in one request. `room.send(text, { files: [file] })` sends it. */
  upload(roomId: number, file: NewFile): Promise<AttachedFile>;
  /** What stands for a file of an own message where it cannot be seen; empty: nothing. */
  describe(of: MessageFile, alt: string): Promise<Message>;
  /** The last file of a message without a text takes the message with it. */
  delete(of: MessageFile): Promise<void>;
  /** Those of the room's messages, the latest first. A page may have few, or none, while the list goes on. */
  list(roomId: number, query?: { kind?: FileFamily; before?: number }): Promise<RoomFilesPage>;
}

/** A file of a message. */
export interface MessageFile {
  readonly roomId: number;
  readonly messageId: number;
  readonly key: string;
}

const isRoomFilesPage = some<RoomFilesPage>({
  files: listOf(some<RoomFile>({ key: isText, name: isText, id: isNatural, message_id: isNatural })),
  next_before_id: nullable(isNatural),
});
const isUploaded = some<UploadedFile>({
  key: isText,
  name: isText,
  type: isText,
  size: isNatural,
  state: oneOf('uploading', 'checking', 'ready', 'refused'),
});

/** `requests`: those of `ChatClient.api`. */
export function filesApi(requests: Requests): FilesApi {
  const { ask, tell } = checkedPaths(requests);
  const path = ({ roomId, messageId, key }: MessageFile) =>
    `/rooms/${roomId}/messages/${messageId}/files/${key}` as const;
  return {
    upload: async (roomId, { name, bytes, alt }) =>
      toAttached(await ask('POST', `/rooms/${roomId}/files${queryString({ name, alt })}`, isUploaded, bytes)),
    describe: (of, alt) => ask('PUT', path(of), isMessage, { alt }),
    delete: (of) => tell('DELETE', path(of)),
    list: (roomId, { kind, before } = {}) =>
      ask('GET', `/rooms/${roomId}/files${queryString({ kind, before_id: before })}`, isRoomFilesPage),
  };
}

/** What a message shows of an upload that is complete. */
export function toAttached(file: UploadedFile): AttachedFile {
  const { key, name, type, size, width, height, duration_ms, alt, blur, state } = file;
  return {
    ...{ key, name, type, size },
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(duration_ms !== undefined && { duration_ms }),
    ...(alt !== undefined && { alt }),
    ...(blur !== undefined && { blur }),
    ...(state !== 'ready' && { state: state === 'refused' ? state : 'checking' }),
  };
}

/** Requests about files. Not part of `ChatApi`, so that a page loads it when needed. */
import type { AttachedFile } from '../../protocol/attached-files.ts';
import type { UploadedFile } from '../../protocol/rest/files.ts';
import { checkedPaths } from './checked-paths.ts';
import { isNatural, isText, oneOf, some } from './checks.ts';
import { queryString } from './http.ts';
import type { Requests } from './requests.ts';

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
}

const isUploaded = some<UploadedFile>({
  key: isText,
  name: isText,
  type: isText,
  size: isNatural,
  state: oneOf('uploading', 'checking', 'ready', 'refused'),
});

/** `requests`: those of `ChatClient.api`. */
export function filesApi(requests: Requests): FilesApi {
  const { ask } = checkedPaths(requests);
  return {
    upload: async (roomId, { name, bytes, alt }) =>
      toAttached(await ask('POST', `/rooms/${roomId}/files${queryString({ name, alt })}`, isUploaded, bytes)),
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

/** The requests of an upload: those of tus 1.0. */

import type { UploadedFile } from '../../protocol/rest/files.ts';
import { ApiError } from '../api/api-error.ts';
import { isNatural, isText, some } from '../api/checks.ts';
import type { Requests } from '../api/requests.ts';

/** The server ends a request after 15 seconds, and its answer says so. */
const TIMEOUT_MS = 25_000;
const TUS = { 'Tus-Resumable': '1.0.0' };

/** What is said of a new upload. */
export interface UploadFacts {
  readonly roomId: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly alt?: string | undefined;
  readonly blur?: string | undefined;
  /** The file that this one is the small picture of. */
  readonly of?: string | undefined;
}

/** The requests about one file. They reject with an `ApiError`. */
export interface TusApi {
  /** Resolves with the key of the upload. */
  create(facts: UploadFacts, signal?: AbortSignal): Promise<string>;
  /** How many bytes are safe. */
  offset(key: string, signal?: AbortSignal): Promise<number>;
  /** Resolves with the new offset. */
  append(key: string, offset: number, bytes: ArrayBuffer, signal?: AbortSignal): Promise<number>;
  /** The file, as the server describes it. */
  file(key: string, signal?: AbortSignal): Promise<UploadedFile>;
  remove(key: string): Promise<void>;
}

const isFile = some<UploadedFile>({
  key: isText,
  name: isText,
  type: isText,
  size: isNatural,
  state: isText as never,
});

export function tusApi(requests: Requests): TusApi {
  const send = async (
    method: 'POST' | 'HEAD' | 'PATCH',
    path: string,
    headers: Readonly<Record<string, string>>,
    { bytes, signal }: { bytes?: ArrayBuffer; signal?: AbortSignal | undefined } = {},
  ) =>
    await requests.send({
      ...{ method, path, signal, timeoutMs: TIMEOUT_MS, headers: { ...TUS, ...headers } },
      ...(bytes && { body: new Blob([bytes]) }),
    });
  return {
    create: async (facts, signal) => {
      const headers = { 'Upload-Length': String(facts.size), 'Upload-Metadata': metadata(facts) };
      const response = await send('POST', '/uploads', headers, { signal });
      const key = response.headers.get('Location')?.split('/').at(-1);
      if (!key) throw new ApiError(response.status, 'unexpected response');
      return key;
    },
    offset: async (key, signal) => offsetIn(await send('HEAD', `/uploads/${key}`, {}, { signal })),
    append: async (key, offset, bytes, signal) => {
      const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
      return offsetIn(await send('PATCH', `/uploads/${key}`, headers, { bytes, signal }));
    },
    file: async (key, signal) => {
      const response = await requests.send({ method: 'GET', path: `/uploads/${key}`, signal });
      const file: unknown = await response.json();
      if (!isFile(file)) throw new ApiError(response.status, 'unexpected response');
      return file;
    },
    remove: async (key) => {
      await requests.send({ method: 'DELETE', path: `/uploads/${key}`, headers: TUS });
    },
  };
}

function offsetIn(response: Response): number {
  const offset = Number(response.headers.get('Upload-Offset') ?? Number.NaN);
  if (!isNatural(offset)) throw new ApiError(response.status, 'unexpected response');
  return offset;
}

function metadata({ roomId, name, type, alt, blur, of }: UploadFacts): string {
  const fields = {
    room_id: String(roomId),
    ...(of === undefined ? { name, type } : { type, purpose: 'preview', of }),
    ...(alt && { alt }),
    ...(blur && { blur }),
  };
  return Object.entries(fields)
    .map(([field, value]) => `${field} ${base64(value)}`)
    .join(',');
}

/** Of its UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

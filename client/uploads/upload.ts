/** An upload as programs and screens see it. */
import { fileName, mediaType } from '../../protocol/file-names.ts';
import type { Requests } from '../api/requests.ts';
import type { Clock } from '../clock.ts';
import type { HostSignals } from '../connection/host-signals.ts';
import { newCid } from '../outbox/cid.ts';
import type { OutboxFile } from '../outbox/outbox-files.ts';
import type { UnsentFiles } from '../outbox/unsent-files.ts';
import type { Locks } from '../session/token-refresh.ts';
import type { StoredUpload, UploadsStore } from './uploads-store.ts';

/** An upload as it is shown. */
export interface Upload extends StoredUpload {
  /** Requests have failed, and the next one waits. */
  readonly isPaused: boolean;
}

/** What the device knows of a file by looking at it. */
export interface FileLook {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly duration_ms?: number | undefined;
  readonly blur?: string | undefined;
  /** The small picture that is sent with it. */
  readonly preview?: Blob | undefined;
}

export interface UploadsOptions {
  /** `ChatClient.api.requests`. */
  readonly requests: Requests;
  /** `ChatClient.outbox`: unsent messages whose files are uploaded here. */
  readonly outbox?: UnsentFiles | null | undefined;
  /** By default, memory. */
  readonly store?: UploadsStore | undefined;
  /** One tab at a time goes on with an upload. */
  readonly locks?: Locks | undefined;
  readonly signals?: HostSignals | undefined;
  /** Looks at a file before it is uploaded. It may take a second, and never rejects. */
  readonly look?: ((file: Blob, type: string) => Promise<FileLook>) | undefined;
  readonly onChange?: ((uploads: readonly Upload[]) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** `place`: where it waits to be sent. */
export function newUpload(
  where: { readonly roomId: number; readonly place: string },
  file: Blob & { readonly name?: string },
  now: number,
): Upload {
  const facts = factsOf(file, 'file');
  const fresh = { key: null, offset: 0, isComplete: false, refusal: null, isPaused: false };
  return { id: newCid(now), ...where, ...facts, createdAt: now, ...fresh };
}

/** The upload with another file, which was chosen in the place of the first. What the first looked like is forgotten. */
export function withFile(upload: Upload, file: Blob & { readonly name?: string }): Upload {
  const { width: _, height: __, duration_ms: ___, blur: ____, ...rest } = upload;
  return { ...rest, ...factsOf(file, upload.name) };
}

/** `nameless`: what a file without a name is called. */
function factsOf({ name, type, size }: Blob & { readonly name?: string }, nameless: string) {
  return { name: fileName(name ?? nameless), type: mediaType(type), size };
}

/** The file of an unsent message. It has a key once all its bytes are on the server. */
export function outboxFile(upload: Upload): OutboxFile {
  const { id, key, isComplete, name, type, size, width, height, duration_ms, alt, blur, preview } = upload;
  return {
    ...{ upload: id, key: isComplete ? key : null, name, type, size },
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(duration_ms !== undefined && { duration_ms }),
    ...(alt && { alt }),
    ...(blur !== undefined && { blur }),
    ...(preview !== undefined && { preview }),
  };
}

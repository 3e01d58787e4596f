/** One upload, step by step: what the next request is, and what its answer means. Pure functions. */
import { UPLOAD_CHUNK_MAX } from '../../protocol/limits.ts';

/** Bytes of a chunk. */
export const CHUNK = { least: 16 * 1024, first: 256 * 1024, most: UPLOAD_CHUNK_MAX } as const;
/** A chunk is to take this long: a request has 15 seconds. */
const CHUNK_TAKES_MS = 3000;
/** An upload that the server does not know any more begins anew, this often. */
const RESTARTS_MAX = 3;
/** Tries before an upload is given up because other uploads of the user, as on another device, take all places. */
const TRIES_MAX = 3;

/** `create`: the server does not know of it. `ask`: how far it is, is not known. `send`: it is, and bytes are missing. */
export type UploadStep = 'create' | 'ask' | 'send' | 'complete' | 'failed';

/** Where an upload is. Immutable. */
export interface UploadState {
  readonly step: UploadStep;
  readonly size: number;
  /** Given by the server. */
  readonly key: string | null;
  /** Bytes that are safe on the server. */
  readonly offset: number;
  /** Bytes that the next request sends at most. */
  readonly chunk: number;
  /** Answers in a row that were none, or a failure of the server: the next request waits the longer. */
  readonly failures: number;
  readonly restarts: number;
  /** Why it has failed. */
  readonly code: UploadRefusal | null;
}

/**
 * Why an upload cannot go on. `unreadable`: the device does not give the file any more. The server has checked it, and
 * does not take it: `malware`, `broken` (it cannot be read), `not_checked` (the check failed).
 */
export type UploadRefusal =
  | 'payload_too_large'
  | 'no_space'
  | 'too_many'
  | 'not_allowed'
  | 'room_not_found'
  | 'unreadable'
  | 'malware'
  | 'broken'
  | 'not_checked'
  | 'refused';

/** What came of a request. */
export type UploadAnswer =
  | { readonly kind: 'created'; readonly key: string }
  /** The server has this many bytes. */
  | { readonly kind: 'offset'; readonly offset: number }
  /** A chunk has arrived. */
  | { readonly kind: 'sent'; readonly offset: number; readonly bytes: number; readonly tookMs: number }
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** The device cannot read its bytes. */
  | { readonly kind: 'unreadable' };

/** A new upload, or one that goes on after a reload: then the server is asked how far it is. */
export function beginUpload(size: number, key: string | null = null, offset = 0): UploadState {
  const step = key === null ? 'create' : 'ask';
  return { step, size, key, offset, chunk: CHUNK.first, failures: 0, restarts: 0, code: null };
}

/** The upload after this answer. */
export function afterAnswer(state: UploadState, answer: UploadAnswer): UploadState {
  switch (answer.kind) {
    case 'created':
      return atOffset({ ...state, key: answer.key, failures: 0 }, 0);
    case 'offset':
      return atOffset({ ...state, failures: 0 }, answer.offset);
    case 'sent':
      return atOffset({ ...state, failures: 0, chunk: chunkAfter(state.chunk, answer) }, answer.offset);
    case 'refused':
      return afterRefusal(state, answer);
    case 'unreadable':
      return failed(state, 'unreadable');
  }
}

/** The size of the next chunk: what three seconds take at the rate of the last one, at most twice as much as before. */
export function chunkAfter(
  chunk: number,
  { bytes, tookMs }: { readonly bytes: number; readonly tookMs: number },
): number {
  // The last chunk of a file says little of the rate.
  if (bytes < chunk) return chunk;
  const wanted = (bytes * CHUNK_TAKES_MS) / Math.max(1, tookMs);
  return within(Math.min(wanted, 2 * chunk));
}

function within(bytes: number): number {
  return Math.max(CHUNK.least, Math.min(CHUNK.most, Math.floor(bytes)));
}

function atOffset(state: UploadState, offset: number): UploadState {
  return { ...state, offset, step: offset >= state.size ? 'complete' : 'send' };
}

function afterRefusal(
  state: UploadState,
  { status, error }: { readonly status: number; readonly error: string },
): UploadState {
  if (status === 0 || status === 408) return cut(state);
  // A proxy on the way takes less at once than the server does.
  if (status === 413 && state.step === 'send' && state.chunk > CHUNK.least) return cut(state, 0);
  if (status === 409 && error === 'upload is at another offset') return asked(state, state.failures);
  if (status === 404 && error === 'file not found' && state.key !== null) return restarted(state);
  if (status === 409 && state.failures < TRIES_MAX) return asked(state, state.failures + 1);
  if (status === 507) return failed(state, 'no_space');
  if (status === 429 || status >= 500) return asked(state, state.failures + 1);
  return failed(state, refusalOf(status, error));
}

function refusalOf(status: number, error: string): UploadRefusal {
  if (status === 413) return 'payload_too_large';
  if (status === 409) return 'too_many';
  if (status === 403) return 'not_allowed';
  return status === 404 && error === 'room not found' ? 'room_not_found' : 'refused';
}

/** The request was cut: some of its bytes may have arrived, and the next ones are sent in smaller parts. */
function cut(state: UploadState, failures = state.failures + 1): UploadState {
  const chunk = state.step === 'send' ? within(state.chunk / 2) : state.chunk;
  return asked({ ...state, chunk }, failures);
}

function asked(state: UploadState, failures: number): UploadState {
  return { ...state, step: state.key === null ? 'create' : 'ask', failures };
}

/** It has expired, or somebody deleted it. */
function restarted(state: UploadState): UploadState {
  if (state.restarts >= RESTARTS_MAX) return failed(state, 'refused');
  return { ...state, step: 'create', key: null, offset: 0, restarts: state.restarts + 1 };
}

function failed(state: UploadState, code: UploadRefusal): UploadState {
  return { ...state, step: 'failed', code };
}

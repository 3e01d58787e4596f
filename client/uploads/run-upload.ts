/** Makes the requests of one upload until all its bytes are on the server, through cuts, pauses and changed networks. */
import { ApiError, isSignedOut } from '../api/api-error.ts';
import type { Clock } from '../clock.ts';
import { retryDelayMs } from '../connection/backoff.ts';
import type { TusApi, UploadFacts } from './tus.ts';
import { afterAnswer, type UploadAnswer, type UploadState } from './upload-steps.ts';

export interface UploadRun {
  readonly tus: TusApi;
  readonly facts: UploadFacts;
  readonly file: Blob;
  readonly clock: Clock;
  readonly random: () => number;
  /** Called after each answer. */
  readonly onChange: (state: UploadState) => void;
  /** Called once the server knows of it, before its bytes are sent. */
  readonly onCreated?: ((key: string) => Promise<void>) | undefined;
  /** Ends it: nothing more is sent, and what was sent stays. */
  readonly signal: AbortSignal;
  /** Resolves when a request should be made now, instead of after a pause. */
  readonly woken?: (() => Promise<void>) | undefined;
}

/** Resolves with the last state: complete, failed, or where it was when it was ended. */
export async function runUpload(run: UploadRun, begin: UploadState): Promise<UploadState> {
  const { signal, onChange } = run;
  let state = begin;
  while (!signal.aborted && state.step !== 'complete' && state.step !== 'failed') {
    let pauseMs: number | null = null;
    try {
      const answer = await ask(run, state);
      if (signal.aborted) break;
      if (answer.kind === 'created') await run.onCreated?.(answer.key);
      state = afterAnswer(state, answer);
    } catch (error) {
      if (signal.aborted || isSignedOut(error)) break;
      const refusal = error instanceof ApiError ? error : new ApiError(0, 'no response');
      const before = state.failures;
      state = afterAnswer(state, { kind: 'refused', status: refusal.status, error: refusal.message });
      if (state.failures > before) pauseMs = retryDelayMs(before, refusal.retryAfterMs, run.random);
    }
    onChange(state);
    if (pauseMs !== null && state.step !== 'failed') await pause(run, pauseMs);
  }
  return state;
}

async function ask(
  { tus, facts, file, clock, signal }: UploadRun,
  state: UploadState,
): Promise<UploadAnswer> {
  const { step, key, offset, chunk } = state;
  if (key === null) return { kind: 'created', key: await tus.create(facts, signal) };
  if (step === 'ask') return { kind: 'offset', offset: await tus.offset(key, signal) };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.slice(offset, offset + chunk).arrayBuffer();
  } catch {
    return { kind: 'unreadable' };
  }
  if (bytes.byteLength === 0) return { kind: 'unreadable' };
  const since = clock.elapsed();
  const end = await tus.append(key, offset, bytes, signal);
  return { kind: 'sent', offset: end, bytes: bytes.byteLength, tookMs: clock.elapsed() - since };
}

async function pause({ clock, signal, woken }: UploadRun, ms: number): Promise<void> {
  const slept = new Promise<void>((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
  await (woken === undefined ? slept : Promise.race([slept, woken()]));
}

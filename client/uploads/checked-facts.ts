import type { UploadedFile } from '../../protocol/rest/files.ts';
import type { Clock } from '../clock.ts';
import type { TusApi } from './tus.ts';
import type { Upload } from './upload.ts';
import type { UploadRefusal } from './upload-steps.ts';

/** The check of a file takes a moment; it is asked for after these pauses. */
const PAUSES_MS = [150, 350, 1000, 3000];

/**
 * What the check of a file has found, or why it was refused. Null: it is not over, or nobody wants to know any more.
 */
export async function checkedFacts(
  tus: TusApi,
  key: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Partial<Upload> | null> {
  for (const pauseMs of PAUSES_MS) {
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    if (signal.aborted) return null;
    try {
      const file = await tus.file(key, signal);
      if (file.state !== 'checking') return factsOf(file);
    } catch {
      // A message has it by now, or the network is away.
      return null;
    }
  }
  return null;
}

/** Upload refusals by the reason that the server gives. */
const REFUSALS: Readonly<Record<NonNullable<UploadedFile['reason']>, UploadRefusal>> = {
  malware: 'malware',
  unreadable: 'broken',
  not_checked: 'not_checked',
};

function factsOf(file: UploadedFile): Partial<Upload> {
  const { state, reason = 'not_checked', type, width, height, duration_ms } = file;
  if (state === 'refused') return { refusal: REFUSALS[reason] };
  return {
    type,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(duration_ms !== undefined && { duration_ms }),
  };
}

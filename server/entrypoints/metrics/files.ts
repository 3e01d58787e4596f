/** The metrics of uploads and of files. */
import type { Store } from '../../data/storage/store.ts';
import { measures } from '../../platform/metrics/measures.ts';
import type { Kit } from './kit.ts';

export interface FilesSources {
  /** Parts of uploads that are on their way to this process. */
  open(): number;
  /** Files that this process is sending. */
  sent(): number;
  /** For how long the first thing has waited that the janitor is to do. */
  lagMs(): number;
  /** Undefined: none is known. It never waits. */
  counts(): Awaited<ReturnType<Store['fileCounts']>> | undefined;
}

export function registerUploads(
  { counter, gauge, gauges }: Kit,
  { open, sent, lagMs, counts }: FilesSources,
): void {
  gauge('uploads_open', 'Parts of uploads that are on their way.', open);
  counter('upload_bytes_total', 'Bytes of uploads that are safe.', () => measures.uploadBytes);
  gauge('files_sent', 'Files that are being sent.', sent);
  gauges('files', 'Files by state.', ['state'], () => {
    const { files = 0, uploading = 0, checking = 0, refused = 0, deleted = 0 } = counts() ?? {};
    const ready = files - uploading - checking - refused - deleted;
    return Object.entries({ uploading, checking, ready, refused, deleted }).map(([state, count]) => [
      { state },
      count,
    ]);
  });
  gauge('file_bytes', 'Sizes of all files together.', () => counts()?.bytes ?? 0);
  gauge(
    'files_lag_seconds',
    'For how long the first file has waited that is to be deleted.',
    () => lagMs() / 1000,
  );
  counter('files_malware_total', 'Files that clamd knew.', () => measures.malwareFound);
  counter('files_scans_failed_total', 'Times at which clamd was away.', () => measures.scansFailed);
  gauge(
    'files_missing',
    'Files whose bytes were not there at the last comparison.',
    () => measures.filesMissing,
  );
}

/** Runs the service in this process: the limits of the system first, then everything else. */
import { MIN_OPEN_FILES, openFilesLimit } from '../platform/net/open-files.ts';
import { letHelpersGiveWay } from '../platform/niceness.ts';

/** Resolves when the service is ready. Ends the process with a sentence and an exit code if it cannot start. */
export async function run(): Promise<void> {
  // A standard output that is closed or full must not end the process: the ready line is a courtesy.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const limit = openFilesLimit();
  if (limit !== undefined && limit < MIN_OPEN_FILES) return fail(1, tooFewFiles(limit));
  letHelpersGiveWay();
  // Only now: loading the modules opens more files at once than a low limit allows.
  const { serve } = await import('./serve.ts');
  await serve(fail);
}

function tooFewFiles(limit: number): string {
  return (
    `Roomful may open ${limit} files only, and needs at least ${MIN_OPEN_FILES}: one for each connection. ` +
    'Raise the limit: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit.'
  );
}

/** Says why on standard error and ends the process. */
export function fail(code: 1 | 2, sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

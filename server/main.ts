/**
 * The entry of the process. Exit codes: 0 stopped as asked, 1 could not start or go on, 2 bad settings or arguments;
 * docs/OPERATIONS.md lists those of Node and of signals, too.
 */
import { readBuildInfo } from './build-info.ts';
import { MIN_OPEN_FILES, openFilesLimit } from './net/open-files.ts';

const HELP = `Usage: node dist/server/main.js [--help] [--version]

Runs Roomful: the chat service and its web client, on one port.
All settings come from the environment or from a .env file; .env.example lists them with their defaults.
The ones needed most: PORT (8080), HOST (0.0.0.0), DATA_DIR (data), LOG_LEVEL (info).
`;

async function main(args: string[]): Promise<void> {
  // A standard output that is closed or full must not end the process: the ready line is a courtesy.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(HELP);
  if (args.includes('--version')) return void process.stdout.write(`${readBuildInfo().version}\n`);
  if (args.length > 0) return fail(2, `Unknown argument ${JSON.stringify(args[0])}. Try --help.`);
  const limit = openFilesLimit();
  if (limit !== undefined && limit < MIN_OPEN_FILES) return fail(1, tooFewFiles(limit));
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
function fail(code: 1 | 2, sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

await main(process.argv.slice(2));

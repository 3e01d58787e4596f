/**
 * The entry of the server's process. Exit codes: 0 stopped as asked, 1 could not start or go on, 2 bad settings or
 * arguments; docs/OPERATIONS.md lists those of Node and of signals, too.
 */
import { readBuildInfo } from './platform/build-info.ts';
import { fail, run } from './process/run.ts';

const HELP = `Usage: node dist/server/main.js [--help] [--version]

Runs Roomful: the chat service and its web client, on one port.
All settings come from the environment or from a .env file; .env.example lists them with their defaults.
The ones needed most: PORT (8080), HOST (0.0.0.0), DATA_DIR (data), LOG_LEVEL (info).
`;

async function main(args: string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(HELP);
  if (args.includes('--version')) return void process.stdout.write(`${readBuildInfo().version}\n`);
  if (args.length > 0) return fail(2, `Unknown argument ${JSON.stringify(args[0])}. Try --help.`);
  await run();
}

await main(process.argv.slice(2));

/** `npm run demo`: see --help. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSignInLink } from '../server/features/identity/sign-in-links.ts';
import { ConfigError, readConfig } from '../server/platform/config.ts';
import { createLogger } from '../server/platform/log.ts';
import { type App, startApp } from '../server/process/app.ts';
import { decorate, type LateReaction } from './decorate.ts';
import { sendFiles } from './files.ts';
import { furnish } from './furnish.ts';
import { LiveTraffic } from './live.ts';
import { type DemoOptions, HELP, readOptions, UsageError } from './options.ts';
import { ME } from './people.ts';
import { scriptedFrom } from './script.ts';
import { PASSWORD, type SeededWorld, seedWorld } from './seed.ts';
import { planWorld, type World } from './world.ts';

/** Within this time a second signal is the echo of the first: npm passes on what the terminal also sent us. */
const SIGNAL_ECHO_MS = 1000;

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-demo-'));
  const cleanUp = () => rm(dataDir, { recursive: true, force: true });
  const asked = signalled();
  try {
    const now = Date.now();
    const world = planWorld({ size: options.size, seed: options.seed, now, until: scriptedFrom(now) });
    const furnished = await seed(dataDir, world, now);
    const app = await start(dataDir);
    const traffic = await open(app, world, furnished, options);
    await asked;
    process.stdout.write('\nStopping, and deleting the data.\n');
    traffic?.stop();
    await app.stop();
  } finally {
    await cleanUp();
  }
}

/** `signInPath`: of a link that signs in once. */
interface Furnished {
  readonly seeded: SeededWorld;
  readonly signInPath: string;
  readonly reactions: readonly LateReaction[];
}

async function seed(dataDir: string, world: World, now: number): Promise<Furnished> {
  const { rooms, people, messages } = world;
  const began = performance.now();
  process.stdout.write(
    `Making ${rooms.length} rooms, ${people.length} people, ${messages.length} messages\n`,
  );
  const onProgress = (done: number) => {
    if (process.stdout.isTTY) process.stdout.write(`\r  ${done} of ${messages.length} messages`);
  };
  let signInPath = '/';
  let reactions: readonly LateReaction[] = [];
  const seeded = await seedWorld(dataDir, world, onProgress, async (store, ids) => {
    reactions = await furnish(store, world, ids, now);
    const link = await createSignInLink({ store, now: Date.now }, ids.userIds.get(ME) ?? 0, '');
    signInPath = link.url;
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}  done in ${seconds} s${' '.repeat(20)}\n`);
  return { seeded, signInPath, reactions };
}

/** The whole service, as `npm start` runs it, but with this data and only for this machine. */
async function start(dataDir: string): Promise<App> {
  const config = readConfig({ HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataDir });
  return await startApp(config, createLogger(config.logLevel), (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
}

async function open(
  app: App,
  world: World,
  { seeded: { roomIds }, signInPath, reactions }: Furnished,
  options: DemoOptions,
): Promise<LiveTraffic | undefined> {
  const url = `http://localhost:${app.address.port}`;
  const local = `http://127.0.0.1:${app.address.port}`;
  await decorate(local, world.people, reactions);
  await sendFiles(local, world, roomIds);
  const traffic = options.quiet
    ? undefined
    : await LiveTraffic.start({ url: local, world, roomIds, seed: options.seed });
  process.stdout.write(`
  Roomful is at    ${url}
  Sign in as Maya  ${url}${signInPath} (once, within ten minutes)
  or sign in as    ${ME}
  password         ${PASSWORD}

Others have the same password, so you can talk to yourself: ${world.people.slice(1, 4).join(', ')} …
${traffic === undefined ? 'Nobody else is online' : `${traffic.people} people are online`}. Ctrl-C ends it.
`);
  return traffic;
}

/** Resolves at the first signal; a second one ends the process. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (since !== undefined && performance.now() - since > SIGNAL_ECHO_MS) process.exit(130);
        since ??= performance.now();
        resolve();
      });
    }
  });
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}. Try --help.`;
  if (error instanceof ConfigError) return error.message;
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (isTaken) return 'The port is in use. Set PORT to another: PORT=8081 npm run demo';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}

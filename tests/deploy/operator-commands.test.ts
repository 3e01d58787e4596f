/**
 * Every command in docs/OPERATIONS.md and README.md, run as it stands there. Only machines, folders and secrets get other
 * names. The shell's `npm start` and `npm run roomful` are what package.json says, without the build before them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNotInstalled } from '../support/installed.ts';
import { commandsOf } from '../support/page-commands.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { RedisServer, whyNoRedis } from '../support/redis.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';

/** This file runs as dist/tests/deploy/operator-commands.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Commands that tests of their own run, by their beginning. */
const ELSEWHERE = {
  'npm ci && npm ': '.ci/run',
  'npm run dev ': '.ci/run, and CONTRIBUTING.md',
  'npx ./roomful-': 'tests/deploy/package.test.ts',
  'mkdir -p /opt/roomful-': 'tests/deploy/package.test.ts',
  'npm run roomful -- files move ': 'tests/s3/server.test.ts',
};

/**
 * `npm start` stops the server that it has started as soon as it is ready. `roomful` is deploy/roomful-command, which
 * systemd.test.ts runs.
 */
const NPM = `roomful() { node "$ROOT/bin/roomful.js" "$@"; }
npm() {
  case "$*" in
    'run roomful -- '*) shift 3; node "$ROOT/bin/roomful.js" "$@" ;;
    start)
      : >ready
      PORT=0 node "$ROOT/dist/server/main.js" >ready 2>log & local pid=$!
      until grep -q 'is ready at' ready; do kill -0 $pid || { cat log >&2; return 1; }; sleep 0.1; done
      kill $pid; wait $pid ;;
    *) echo "unexpected: npm $*" >&2; return 1 ;;
  esac
}`;

const page = (name: string) =>
  commandsOf(readFileSync(join(ROOT, name), 'utf8')).filter(
    ({ text }) => !Object.keys(ELSEWHERE).some((beginning) => text.startsWith(beginning)),
  );
const COMMANDS = [...page('docs/OPERATIONS.md'), ...page('README.md')];
const SECTIONS = [...new Set(COMMANDS.map(({ section }) => section))];

let server: ServerProcess;
let postgres: PostgresServer;
let redis: RedisServer;

/** What a section says comes before its commands; otherwise the server runs. */
const BEFORE: Record<string, () => Promise<unknown>> = {
  Restore: async () => {
    await server.stop();
    rmSync(join(server.dataDir, 'data'), { recursive: true });
  },
  'Moving to PostgreSQL': async () => {
    await server.stop();
    await emptyDatabase();
  },
};
const SECRET = '5ec2e7'.repeat(8);
const POSTGRES_BACKUP = 'Backup and restore on PostgreSQL';

const why = whyNotEmbedded() ?? whyNoPostgres() ?? whyNoRedis() ?? whyNotInstalled('sqlite3');
describe.skipIf(why !== undefined)('the commands of', () => {
  beforeAll(async () => {
    [server, postgres, redis] = await Promise.all([
      ServerProcess.start(),
      PostgresServer.startOwn(),
      RedisServer.start(),
    ]);
    await createRoom(server, await signUp(server, 'ann'), 'general');
    for (const name of ['bo', 'spammer17']) await signUp(server, name);
    // The page creates the role roomful, which this PostgreSQL has for tests already.
    await postgres.run('CREATE ROLE operator SUPERUSER LOGIN');
    await postgres.run('ALTER ROLE roomful RENAME TO tests', addressAs('operator', 'postgres'));
  }, 120_000);
  afterAll(async () => {
    await server?.dispose();
    await postgres?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
  });

  it('npm runs what the shell of these tests runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(scripts).toMatchObject({
      start: expect.stringMatching(/ exec node dist\/server\/main\.js$/),
      roomful: 'node bin/roomful.js',
    });
    // As npm does before both (package.test.ts).
    expect(scripts.preroomful).toBe(scripts.prestart);
  });

  it.each(SECTIONS)('%s', { timeout: 120_000 }, async (name) => {
    await BEFORE[name]?.();
    for (const { section, text } of COMMANDS) {
      if (section !== name) continue;
      // Its second step.
      if (name === POSTGRES_BACKUP && text.includes(' restore ')) await emptyDatabase();
      await shell(text, name === POSTGRES_BACKUP);
    }
    if (!server.isRunning) await server.restart();
  });
});

function addressAs(user: string, database: string): string {
  return `postgres://${user}@127.0.0.1:${new URL(postgres.url).port}/${database}`;
}

/** In place of the one that the page has made. */
async function emptyDatabase(): Promise<void> {
  await postgres.run('DROP DATABASE roomful WITH (FORCE)', addressAs('operator', 'postgres'));
  await postgres.run(
    "CREATE DATABASE roomful OWNER roomful ENCODING 'UTF8' TEMPLATE template0",
    addressAs('operator', 'postgres'),
  );
}

/** Runs it in bash, in the server's working directory, with its settings. */
async function shell(command: string, isOnPostgres = false): Promise<void> {
  const here = command
    .replaceAll(/postgres:\/\/roomful:password@[\w.]+:5432\/roomful/g, addressAs('roomful', 'roomful'))
    .replaceAll('redis://localhost:6379', redis.url)
    .replaceAll('JWT_SECRET=…', `JWT_SECRET=${SECRET}`)
    .replaceAll('/var/backups', join(server.dataDir, 'backups'))
    .replaceAll('/opt/roomful', ROOT)
    .replaceAll('https://chat.example.org', server.url)
    .replaceAll('NAME', 'ann');
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', `${NPM}\n${here}`], {
    cwd: server.dataDir,
    // Away from a terminal, so that createuser reads the password from its input.
    detached: true,
    stdio: 'pipe',
    env: {
      ...{ PATH: process.env.PATH, HOME: server.dataDir, ROOT, HOST: '127.0.0.1' },
      ...{ DATA_DIR: join(server.dataDir, 'data'), PORT: String(server.port), LOG_LEVEL: 'warn' },
      ...{ PGHOST: '127.0.0.1', PGPORT: new URL(postgres.url).port, PGUSER: 'operator' },
      ...(isOnPostgres && { DATABASE_URL: addressAs('roomful', 'roomful'), JWT_SECRET: SECRET }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  child.stdin.on('error', () => undefined).end('password\npassword\n');
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, `${here}\n${output}`).toBe(0);
}

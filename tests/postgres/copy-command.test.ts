/** `roomful copy` as the operator sees it: arguments, exit codes, sentences. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { Copying } from './copying.ts';
import { FILLED_ROWS } from './filled-source.ts';

const MAIN = fileURLToPath(new URL('../../server/process/cli/main.js', import.meta.url));
const USAGE = /^Usage: roomful copy \[options\]$/m;

let folder: string;

/** Runs the command in an empty folder. */
function run(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'copy', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-copy-command-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

describe('the arguments of a copy', () => {
  it('--help prints the usage', () => {
    expect(run(['--help'])).toEqual({ status: 0, stdout: expect.stringMatching(USAGE), stderr: '' });
  });

  it.each([
    ['nothing', []],
    ['no source', ['--to', 'postgres://db.example.org/roomful']],
    ['a source of another kind', ['--from', 'mysql:data', '--to', 'postgres://db.example.org/roomful']],
    ['no folder', ['--from', 'sqlite:', '--to', 'postgres://db.example.org/roomful']],
    ['an unknown argument', ['--from', 'sqlite:data', '--onto', 'postgres://db.example.org/roomful']],
    ['a word too many', ['--from', 'sqlite:data', 'now']],
  ])('%s: the usage, and code 2', (_, args) => {
    expect(run(args)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(USAGE) });
  });

  it('an address that is none is named, and not shown', () => {
    const hint = 'must be an address such as postgres://user:password@db.example.org:5432/roomful.\n';
    const from = ['--from', 'sqlite:data'];
    expect(run([...from, '--to', 'postgres://me:secret'])).toEqual({
      ...{ status: 2, stdout: '', stderr: `--to ${hint}` },
    });
    expect(run(from, { DATABASE_URL: 'postgres://me:secret' })).toEqual({
      ...{ status: 2, stdout: '', stderr: `DATABASE_URL ${hint}` },
    });
  });

  it('a folder without a database', () => {
    expect(run(['--from', 'sqlite:data', '--to', 'postgres://127.0.0.1:1/roomful'])).toEqual({
      ...{ status: 2, stdout: '', stderr: expect.stringMatching(/^There is no database in data\. /) },
    });
  });
});

describe.skipIf(whyNoPostgres() !== undefined)('a copy by the operator', () => {
  let postgres: PostgresServer;
  let copying: Copying;
  beforeAll(async () => {
    postgres = await PostgresServer.startOwn({ password: 'the password' });
  });
  afterAll(async () => await postgres?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    copying = await Copying.prepare(postgres);
  });
  afterEach(async () => await copying.dispose());

  it('says what to do next, and where the secret is; a repeat says the same', async () => {
    await writeFile(join(copying.dataDir, 'jwt-secret'), 'secret');
    // In the place of --to, which other users of the machine can see.
    await writeFile(join(folder, '.env'), `DATABASE_URL=${copying.url}\n`);
    const next =
      /Now set DATABASE_URL .* JWT_SECRET to the same value as before, which is in .*jwt-secret unless/;
    const first = run(['--from', `sqlite:${copying.dataDir}`]);
    expect(first).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^Done: ${FILLED_ROWS} rows are the same in both databases\\. The server had to stand still`,
        ),
      ),
      stderr: 'The server is stopped: the data folder is locked now. Copying the rest.\n',
    });
    expect(first.stdout).toMatch(next);
    const again = run(['--from', `sqlite:${copying.dataDir}`]);
    expect(again).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^This data was copied before/),
      stderr: '',
    });
    expect(again.stdout).toMatch(next);
    expect(again.stdout).not.toContain('FILES_DIR');
    await mkdir(join(copying.dataDir, 'files'));
    expect(run(['--from', `sqlite:${copying.dataDir}`]).stdout).toMatch(
      /\nThe bytes of uploaded files stay in .*files\. Set FILES_DIR to it if DATA_DIR changes\.\n/,
    );
  });

  it('a wrong password: one sentence without it, and code 2', () => {
    const to = copying.url.replace('the%20password', 'another');
    expect(run(['--from', `sqlite:${copying.dataDir}`, '--to', to])).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: expect.stringMatching(
        /^The database at .* cannot be used: password authentication failed.*\. Check --to\.\n$/,
      ),
    });
  });

  it('a copy that cannot be completed: one sentence, and code 1', () => {
    copying.changeSource("UPDATE meta SET value = '5' WHERE key = 'schema_version'");
    expect(run(['--from', `sqlite:${copying.dataDir}`, '--to', copying.url])).toEqual({
      ...{ status: 1, stdout: '' },
      stderr: expect.stringMatching(/^The database was written by an older Roomful [^\n]*\n$/),
    });
  });
});

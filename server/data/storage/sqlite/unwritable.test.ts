import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openForWriting } from './database.ts';

const NOBODY = 65_534;
const STORE = new URL('./sqlite-store.js', import.meta.url).href;
const DOCTOR = new URL('../../../process/cli/doctor/this-machine.js', import.meta.url).href;

/** Runs a script as a user without rights; returns what it prints. */
function runAsNobody(code: string): string {
  const { stdout } = spawnSync(process.execPath, ['-e', code], {
    ...{ uid: NOBODY, gid: NOBODY, encoding: 'utf8', cwd: '/' },
  });
  return stdout;
}

const isPossible =
  process.getuid?.() === 0 && runAsNobody(`import('${STORE}').then(() => console.log('here'))`) === 'here\n';

it('a database that was restored by another user: the refusal names the file and the owner', async ({
  skip,
}) => {
  skip(!isPossible, 'needs root, and a Node and a checkout that the user nobody may read');
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-unwritable-'));
  const file = join(dataDir, 'roomful.db');
  const sqlite = openForWriting(file);
  sqlite.exec('PRAGMA journal_mode = WAL');
  sqlite.close();
  await chmod(file, 0o644);
  await chown(dataDir, NOBODY, NOBODY);
  const code = `import('${STORE}')
    .then(({ openSqliteStore }) => openSqliteStore({ dataDir: '${dataDir}', onFatal() {} }))
    .catch((error) => console.log(error.message))`;
  expect(runAsNobody(code)).toMatch(
    new RegExp(
      `^${file} cannot be written by the user that runs Roomful \\(user id ${NOBODY}\\); it belongs to user id 0\\.`,
    ),
  );
  // The doctor gives the same advice, and not that of a damaged file.
  const files = JSON.stringify({ folder: join(dataDir, 'files'), totalBytes: null });
  const doctor = `import('${DOCTOR}')
    .then(({ checkThisMachine }) => checkThisMachine({ dataDir: '${dataDir}', host: '127.0.0.1', port: 0, files: ${files} }))
    .then((checks) => console.log(checks.map(({ told }) => told).join(' ')))`;
  const told = runAsNobody(doctor);
  expect(told).toMatch(/Change its owner with chown/);
  expect(told).not.toMatch(/Restore a backup/);
  await rm(dataDir, { recursive: true });
});

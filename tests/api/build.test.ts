import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
/** Root may write everywhere, so these tests run as the user `nobody` where they can. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const nobodyRunsNode = spawnSync(process.execPath, ['-e', ''], { ...NOBODY, cwd: '/' }).status === 0;

/** A copy without sources and without a repository: the scripts and what they use. */
let copy: string;
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'roomful-copy-'));
  await chmod(copy, 0o755);
  await cp(join(ROOT, 'scripts'), join(copy, 'scripts'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(copy, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterEach(() => rm(copy, { recursive: true }));

describe('git_commit is true or unknown', () => {
  async function commitOf(env: Record<string, string> = {}): Promise<string> {
    const script = "await (await import('./scripts/steps.mjs')).writeBuildInfo()";
    await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: copy,
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    return JSON.parse(await readFile(join(copy, 'dist', 'build-info.json'), 'utf8')).git_commit;
  }

  test('a copy without history: unknown', async () => {
    expect(await commitOf()).toBe('unknown');
  });

  test('an archive: the commit that git archive wrote into it', async () => {
    const attributes = await readFile(join(ROOT, '.gitattributes'), 'utf8');
    expect(attributes).toContain('scripts/archived-commit.txt export-subst');
    const marker = await readFile(join(ROOT, 'scripts', 'archived-commit.txt'), 'utf8');
    expect(marker).toMatch(/^(\$Format:%H\$|[0-9a-f]{40,64})\n$/);
    await writeFile(join(copy, 'scripts', 'archived-commit.txt'), `${COMMIT}\n`);
    expect(await commitOf()).toBe(COMMIT);
  });

  test("a copy inside another repository does not report that repository's commit", async () => {
    const outer = copy;
    execFileSync('git', ['init', '--quiet', outer]);
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    execFileSync('git', ['-C', outer, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'x']);
    expect(await commitOf()).toMatch(/^[0-9a-f]{40}$/); // The copy is the repository here.
    copy = join(outer, 'inner');
    await mkdir(copy);
    await cp(join(outer, 'scripts'), join(copy, 'scripts'), { recursive: true });
    try {
      expect(await commitOf()).toBe('unknown');
    } finally {
      copy = outer;
    }
  });

  test('GIT_COMMIT in the environment wins', async () => {
    expect(await commitOf({ GIT_COMMIT: COMMIT })).toBe(COMMIT);
  });
});

test('an unbuilt copy that cannot be written fails with one sentence that says what to do', async ({
  skip,
}) => {
  skip(!nobodyRunsNode, `the user nobody may not run ${process.execPath}`);
  // That user may not reach those of this checkout when a folder above it is its owner's alone.
  await rm(join(copy, 'node_modules'));
  for (const tool of ['node_modules/typescript/bin/tsc', 'node_modules/vite/bin/vite.js'])
    await cp(join(ROOT, tool), join(copy, tool));
  await chmod(copy, 0o555);
  const failed = await run(process.execPath, ['scripts/build-if-needed.mjs'], { cwd: copy, ...NOBODY }).then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  );
  await chmod(copy, 0o755);
  expect(failed?.code).toBe(1);
  expect(failed?.stderr).toContain(`${join(copy, 'dist')} cannot be written`);
  expect(failed?.stderr).toContain('npm run build');
  expect(failed?.stderr).not.toMatch(/^\s+at /m);
});

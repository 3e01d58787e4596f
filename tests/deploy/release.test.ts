/** Versions, and their notes in CHANGELOG.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Lock } from './packed.ts';

/** This file runs as dist/tests/deploy/release.test.js. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SCRIPT = join('scripts', 'release-notes.mjs');

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');
const versionOf = (folder: string, path: string) =>
  (JSON.parse(read(folder, path)) as { version: string }).version;

describe('CHANGELOG.md', () => {
  const headings = [...read(ROOT, 'CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);

  test('begins with what is unreleased; each version has a date, and the newest comes first', () => {
    const [first, ...released] = headings;
    expect(first).toBe('Unreleased');
    for (const heading of released) expect(heading).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
    const versions = released.map((heading) => heading.split(' ')[0] ?? '');
    const newestFirst = versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    expect(versions).toEqual(newestFirst);
  });

  test('has an entry for the version of package.json, and the SDK has the same version', () => {
    const version = versionOf(ROOT, 'package.json');
    expect(headings.filter((heading) => heading.startsWith(`${version} - `))).toHaveLength(1);
    expect(versionOf(ROOT, 'client/package.json')).toBe(version);
  });
});

describe('npm version', () => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'roomful-release-'));
    for (const path of ['scripts', 'package.json', 'package-lock.json', '.npmrc', 'CHANGELOG.md'])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    mkdirSync(join(copy, 'client'));
    cpSync(join(ROOT, 'client/package.json'), join(copy, 'client/package.json'));
    // The check needs all sources. It is not what this is about.
    const manifest = JSON.parse(read(copy, 'package.json')) as { scripts: Record<string, string> };
    expect(manifest.scripts.preversion).toBe('npm run check');
    delete manifest.scripts.preversion;
    writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
    git('init', '--quiet');
    git('config', 'user.name', 'a');
    git('config', 'user.email', 'a@example.org');
    commit();
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
  };
  const changelog = (unreleased: string) =>
    writeFileSync(
      join(copy, 'CHANGELOG.md'),
      `# Changelog\n\n## Unreleased\n${unreleased}\n## 0.1.0 - 2026-11-22\n\n- The first.\n`,
    );
  const npmVersion = () => spawnSync('npm', ['version', '7.8.9'], { cwd: copy, encoding: 'utf8' });

  test('moves what is unreleased to the new version with its date, and makes one commit and its tag', () => {
    changelog('\n### For users\n\n- Something new.\n');
    commit();
    expect(npmVersion()).toMatchObject({ status: 0 });
    const today = new Date().toISOString().slice(0, 10);
    expect(read(copy, 'CHANGELOG.md').replaceAll(/7\.8\.9 - \S+/g, '7.8.9 - DATE')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 7.8.9 - DATE\n\n### For users\n\n- Something new.\n\n' +
        '## 0.1.0 - 2026-11-22\n\n- The first.\n',
    );
    // Past midnight, the script may have seen the day before.
    const [, date = ''] = /7\.8\.9 - (\S+)/.exec(read(copy, 'CHANGELOG.md')) ?? [];
    expect(Math.abs(Date.parse(today) - Date.parse(date))).toBeLessThanOrEqual(86_400_000);
    expect(versionOf(copy, 'package.json')).toBe('7.8.9');
    expect(versionOf(copy, 'client/package.json')).toBe('7.8.9');
    const { packages } = JSON.parse(read(copy, 'package-lock.json')) as Lock;
    expect([packages['']?.version, packages.client?.version]).toEqual(['7.8.9', '7.8.9']);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe('release: Make version 7.8.9\n');
    expect(git('tag', '--points-at', 'HEAD')).toBe('v7.8.9\n');
    expect(execFileSync(process.execPath, [SCRIPT, '--print'], { cwd: copy, encoding: 'utf8' })).toBe(
      '### For users\n\n- Something new.\n',
    );
  });

  test('refuses a release of which nothing is said', () => {
    changelog('');
    commit();
    const { status, stderr } = npmVersion();
    expect(status).not.toBe(0);
    expect(stderr).toContain('CHANGELOG.md lists nothing under "## Unreleased": say first what has changed.');
    expect(git('tag')).toBe('');
  });
});

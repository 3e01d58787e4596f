import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MANIFEST } from './manifest.ts';
import { backupName, keepLatest } from './rotation.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roomful-rotation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A backup that was made in this second. */
function backup(second: number, epoch: string, format = 'roomful backup 1'): string {
  const name = backupName(new Date(second * 1000));
  mkdirSync(join(folder, name));
  const manifest = {
    ...{ format, made_at: new Date(second * 1000).toISOString(), version: '0', schema: 1, epoch },
    ...{ bytes: 0, sha256: '', counts: {} },
  };
  writeFileSync(join(folder, name, MANIFEST), JSON.stringify(manifest));
  return name;
}

it.each(['roomful backup 1', 'roomful postgres backup 1'])(
  'backups of another installation in the folder are neither counted nor deleted (%s)',
  (format) => {
    const own = [1, 3, 5].map((second) => backup(second, 'own', format));
    const others = [2, 4, 6, 8].map((second) => backup(second, 'other', format));
    expect(keepLatest(folder, { count: 2, epoch: 'own' })).toEqual(own.slice(0, 1));
    expect(readdirSync(folder).sort()).toEqual([...own.slice(1), ...others].sort());
  },
);

it('a folder without a manifest that can be read is no backup', () => {
  const own = [1, 2].map((second) => backup(second, 'own'));
  const name = backupName(new Date(0));
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, MANIFEST), 'not JSON');
  expect(keepLatest(folder, { count: 1, epoch: 'own' })).toEqual(own.slice(0, 1));
  expect(readdirSync(folder)).toContain(name);
});

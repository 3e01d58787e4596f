/** A database with rows in every table, exports of it, and what two exports must have in common. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportAll } from '../../server/data/export/export.ts';
import { importAll } from '../../server/data/export/import.ts';
import type { Manifest } from '../../server/data/export/manifest.ts';
import { fillEveryTable, withSource } from './filled-source.ts';

export type Place = Parameters<typeof exportAll>[0]['config'];

export class Exporting {
  readonly folder = mkdtempSync(join(tmpdir(), 'roomful-export-'));
  #folders = 0;

  /** A new, empty data folder. */
  empty(): Place {
    return { database: undefined, dataDir: this.path('data') };
  }

  /** Rows in every table, in which no value is a default. */
  filled(): Place {
    const dataDir = mkdtempSync(join(this.folder, 'filled-'));
    withSource(dataDir, (sqlite) => {
      fillEveryTable(sqlite);
      sqlite.exec(
        "INSERT INTO meta VALUES ('registration', 'invite'), ('server_name', 'Acme'), ('server_icon', 'QUJDREVGR0hJSktMTU5PUA')",
      );
    });
    return { database: undefined, dataDir };
  }

  async export(config: Place, withPasswords = true): Promise<string> {
    const to = this.path('export');
    await exportAll({ config, to, withPasswords, filesDir: filesOf(config), onProgress });
    return to;
  }

  /** An export of one room. */
  async exportRoom(config: Place, id: number): Promise<string> {
    const to = this.path('room');
    await exportAll({
      ...{ config, to, withPasswords: true, filesDir: filesOf(config) },
      room: () => ({ id, name: '' }),
      onProgress,
    });
    return to;
  }

  /** What fills every table breaks the rules of `roomful verify`. */
  async import(config: Place, from: string, isForced = true): Promise<void> {
    await importAll({ config, from, filesDir: filesOf(config), isForced, onProgress });
  }

  path(name: string): string {
    return join(this.folder, `${name}-${++this.#folders}`);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** FILES_DIR, as it is without the setting. */
export function filesOf({ dataDir }: Pick<Place, 'dataDir'>): string {
  return join(dataDir, 'files');
}

/** Every file of an export but its manifest, byte for byte, and the part of the manifest that an import keeps. */
export function contentOf(folder: string): Record<string, unknown> {
  const { made_at: _, epoch: __, last_ids: ___, ...kept } = manifestOf(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== 'manifest.json' && statSync(join(folder, name)).isFile(),
  );
  return {
    ...kept,
    ...Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  };
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
}

/** Writes a file as somebody does who also changes the manifest. */
export function rewrite(folder: string, name: string, change: (text: string) => string): void {
  const text = change(readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, name), text);
  const manifest = manifestOf(folder);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const rows = text.split('\n').filter((line) => line !== '').length;
  changeManifest(folder, {
    files: { ...manifest.files, [name]: { rows, bytes: Buffer.byteLength(text), sha256 } },
  });
}

export function changeManifest(folder: string, change: object): void {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifestOf(folder), ...change }));
}

function onProgress(): void {}

/** Databases in SQLite, exports of one room, and their imports. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifyFile } from '../../server/data/backup/sqlite-file.ts';
import {
  type ImportedRoom,
  importRoom,
  type RoomImportOptions,
} from '../../server/data/export/import-room.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { ForeignFiles } from '../../server/features/files/foreign.ts';
import { ARoom, type Step } from './a-room.ts';
import { Exporting, filesOf, type Place } from './exporting.ts';

export class RoomImporting extends Exporting {
  /** A database with what `body` puts there. */
  async place(body: (store: Store) => Promise<unknown> = async () => undefined): Promise<Place> {
    const config = this.empty();
    await this.inStore(config, body);
    return config;
  }

  async inStore<T>({ dataDir }: Place, body: (store: Store) => Promise<T>): Promise<T> {
    const { store } = await openSqliteStore({ dataDir, onFatal: rethrow });
    try {
      return await body(store);
    } finally {
      await store.close();
    }
  }

  /** An export of `ARoom`. */
  async exported(steps: readonly Step[] = []): Promise<string> {
    const found: number[] = [];
    const source = await this.place(async (store) => {
      found.push((await ARoom.make(store, steps)).roomId);
    });
    return await this.exportRoom(source, found[0] ?? 0);
  }

  async bring(
    config: Place,
    from: string,
    options: Partial<RoomImportOptions> = {},
  ): Promise<Omit<ImportedRoom, 'manifest'>> {
    const files = new ForeignFiles();
    const { manifest: _, ...imported } = await importRoom({
      ...{ config, from, name: undefined, owner: undefined, isDryRun: false, onProgress: () => undefined },
      ...{ filesDir: filesOf(config), checkFile: (folder, file) => files.check(folder, file) },
      ...options,
    }).finally(() => files.stop());
    return imported;
  }

  async expectSound({ dataDir }: Place): Promise<void> {
    const report = await verifyFile(join(dataDir, 'roomful.db'), { onRule: () => undefined });
    expect(report.findings).toEqual([]);
  }
}

function rethrow(error: Error): never {
  throw error;
}

/** `roomful export` and `import` with PostgreSQL. */
import { cpSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyPostgres } from '../../server/data/backup/verify-postgres.ts';
import { exportAll } from '../../server/data/export/export.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { IMPORTING } from '../../server/data/storage/postgres/unfinished-copy.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { withoutIds } from './a-room.ts';
import { onFatal } from './copying.ts';
import { contentOf, Exporting, filesOf, manifestOf, type Place, rewrite } from './exporting.ts';
import { RoomImporting } from './room-importing.ts';

let postgres: PostgresServer;
let exporting: Exporting;
let url: string;

const place = (): Place => ({ database: addressOf(url), dataDir: exporting.folder });

async function start(): Promise<void> {
  const { store } = await openPostgresStore({ address: addressOf(url), isShared: false, onFatal });
  await store.close();
}

describe.skipIf(whyNoPostgres() !== undefined)('an export and an import with PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());
  beforeEach(async () => {
    exporting = new Exporting();
    url = await postgres.createDatabase();
  });
  afterEach(() => exporting.dispose());

  it('from SQLite to PostgreSQL and back gives identical files, and a manifest with another epoch and higher ids', async () => {
    const first = await exporting.export(exporting.filled());
    await exporting.import(place(), first);
    const second = await exporting.export(place());
    const back = exporting.empty();
    await exporting.import(back, second);
    const third = await exporting.export(back);
    for (const [folder, jumps] of [
      [second, 1],
      [third, 2],
    ] as const) {
      expect(contentOf(folder)).toEqual(contentOf(first));
      for (const [table, id] of Object.entries(manifestOf(first).last_ids))
        expect(manifestOf(folder).last_ids, table).toMatchObject({ [table]: id + jumps * 1_000_000_000 });
    }
    expect(new Set([first, second, third].map((folder) => manifestOf(folder).epoch)).size).toBe(3);
  });

  it('a server starts on it, in the epoch of the import, and has all references between tables', async () => {
    await exporting.import(place(), await exporting.export(exporting.filled()));
    const { epoch } = manifestOf(await exporting.export(place()));
    await start();
    expect(await postgres.run("SELECT value FROM meta WHERE key = 'epoch'", url)).toEqual([{ value: epoch }]);
    const other = await postgres.createDatabase();
    const { store } = await openPostgresStore({ address: addressOf(other), isShared: false, onFatal });
    await store.close();
    const references =
      "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' ORDER BY conname";
    expect(await postgres.run(references, url)).toEqual(await postgres.run(references, other));
  });

  it('an export is one state, whatever is written meanwhile', async () => {
    await exporting.import(place(), await exporting.export(exporting.filled()));
    const before = await exporting.export(place());
    const to = exporting.path('export');
    let writes = 0;
    const wrote: Promise<unknown>[] = [];
    await exportAll({
      ...{ config: place(), to, withPasswords: true, filesDir: filesOf(place()) },
      onProgress() {
        if (writes++ === 0) wrote.push(postgres.run("UPDATE messages SET content = 'later'", url));
      },
    });
    await Promise.all(wrote);
    expect(wrote).toHaveLength(1);
    expect(contentOf(to)).toEqual(contentOf(before));
  });

  it('an export of one room is the same as from SQLite', async () => {
    const source = exporting.filled();
    await exporting.import(place(), await exporting.export(source));
    const [here, there] = [exporting.path('room'), exporting.path('room')];
    const choice = {
      withPasswords: true,
      filesDir: undefined,
      room: () => ({ id: 2, name: '' }),
      onProgress: () => undefined,
    };
    await exportAll({ config: source, to: here, ...choice });
    await exportAll({ config: place(), to: there, ...choice });
    expect(contentOf(there)).toEqual(contentOf(here));
    expect(contentOf(here)).toMatchObject({ 'messages.jsonl': expect.stringContaining('"room_id":2') });
  });

  it('a room comes from SQLite to PostgreSQL and back with identical files, and a refused one changes nothing', async () => {
    const importing = new RoomImporting();
    try {
      const steps = Array.from({ length: 60 }, (_, on) => ({ act: on * 7, by: on * 5, on: on * 3 }));
      const first = await importing.exported(steps);
      await expect(importing.bring(place(), first)).rejects.toThrow(/ has schema 0, /);
      await start();
      const before = contentOf(await importing.export(place()));
      const bad = importing.path('bad');
      cpSync(first, bad, { recursive: true });
      rewrite(bad, 'reactions.jsonl', (text) => text.replace(/"message_id":\d+/, '"message_id":1'));
      await expect(importing.bring(place(), bad)).rejects.toThrow(
        /^reactions\.jsonl, line 1: "message_id" is 1,/,
      );
      rewrite(bad, 'messages.jsonl', (text) => text.replaceAll(/"changed_seq":(1|2),/g, '"changed_seq":2,'));
      await expect(importing.bring(place(), bad)).rejects.toThrow(
        /^messages\.jsonl, lines 1 to \d+ were refused: /,
      );
      const options = { address: addressOf(url), isShared: false, onFatal };
      const running = await openPostgresStore(options);
      await expect(importing.bring(place(), first)).rejects.toThrow(
        /^Another Roomful process uses this database/,
      );
      await running.store.close();
      expect(await importing.bring(place(), first, { isDryRun: true })).toMatchObject({ matched: [] });
      expect(contentOf(await importing.export(place()))).toEqual(before);
      const { room } = await importing.bring(place(), first);
      const second = await importing.exportRoom(place(), room.id);
      expect(withoutIds(second)).toEqual(withoutIds(first));
      expect((await verifyPostgres(addressOf(url))).findings).toEqual([]);
      await start();
      const target = await importing.place();
      const back = await importing.bring(target, second);
      const third = await importing.exportRoom(target, back.room.id);
      expect(withoutIds(third)).toEqual(withoutIds(second));
      await importing.expectSound(target);
    } finally {
      importing.dispose();
    }
  });

  it('after an import that failed no server starts, and the next import works', async () => {
    const good = await exporting.export(exporting.filled());
    const bad = await exporting.export(exporting.filled());
    rewrite(bad, 'reports.jsonl', (text) => text + text.split('\n')[0]);
    await expect(exporting.import(place(), bad)).rejects.toThrow(
      /^reports\.jsonl, lines 1 to 4: PostgreSQL at /,
    );
    const refusal = /^The import into this database is not complete\. Run the same `roomful import` again/;
    await expect(start()).rejects.toThrow(refusal);
    await expect(exporting.import(place(), good, false)).rejects.toThrow(
      /^The data of the export is damaged/,
    );
    await expect(start()).rejects.toThrow(refusal);
    await exporting.import(place(), good);
    await start();
    expect(contentOf(await exporting.export(place()))).toEqual(contentOf(good));
  });

  it('never fills a database that is not empty', async () => {
    const folder = await exporting.export(exporting.filled());
    await start();
    await expect(exporting.import(place(), folder)).rejects.toThrow(
      /is not empty\. Create an empty one, and name it in DATABASE_URL\.$/,
    );
    expect(await postgres.run(`SELECT 1 FROM meta WHERE value = '${IMPORTING}'`, url)).toEqual([]);
  });
});

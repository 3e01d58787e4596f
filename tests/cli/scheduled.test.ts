/** What a running server does by itself: backups (BACKUP_DIR), and deleting what is old (KEEP_MESSAGES_DAYS). */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { eventually as within } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, logIn, readHistory, signUp } from '../support/users.ts';

const DAY_MS = 86_400_000;
/** A backup starts three programs of Node and copies a database twice. */
const eventually = <T>(what: string, look: () => Promise<T | undefined> | T | undefined) =>
  within(what, look, 100_000);

let folder: string;
let server: ServerProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roomful-scheduled-'));
});
afterEach(async () => {
  await server?.dispose();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const database = ({ dataDir }: ServerProcess) =>
  openDatabase(join(dataDir, 'data/roomful.db'), { timeoutMs: 5000 });

describe.skipIf(whyNotEmbedded() !== undefined)('a server with BACKUP_DIR', () => {
  it('makes a backup when one is due, keeps the latest ones, and the newest can be restored', async () => {
    const into = join(folder, 'backups');
    const env = { BACKUP_DIR: into, BACKUP_KEEP: '2' };
    server = await ServerProcess.start({ env });
    const running = server;
    const ann = await signUp(running);
    const room = await createRoom(running, ann);
    const made = () =>
      readdirSync(into).filter((name) => name.startsWith('roomful-') && !name.includes('partial'));
    await eventually('the first backup', () => {
      try {
        return made().length === 1 ? true : undefined;
      } catch {
        return undefined;
      }
    });
    const line = await LineClient.start(running, ann);
    await line.post(room.id, 'a text');
    await line.close();
    // Other folders are not touched, whatever their names.
    mkdirSync(join(into, 'roomful-2020-01-01T000000000Z'));
    mkdirSync(join(into, 'mine'));
    await eventually('the metric', async () => {
      const { text } = await send(running, '/metrics');
      return /roomful_last_backup_timestamp_seconds [1-9]/.test(text) &&
        text.includes('roomful_disk_free_bytes{folder="backups"}')
        ? true
        : undefined;
    });
    for (let count = 0; count < 2; count++) {
      const backup = await runCommand(running, ['backup', '--into', into, '--keep', '2', '--json']);
      expect([backup.code, backup.stderr]).toEqual([0, '']);
    }
    expect(made()).toHaveLength(3);
    await running.stop();
    const newest = made().sort().at(-1) ?? '';
    const restored = await runCommand(running, ['restore', '--from', join(into, newest), '--force']);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    await running.restart();
    const again = await logIn(running, ann.username);
    expect((await readHistory(running, again, room.id)).map(({ content }) => content)).toEqual(['a text']);
  });

  it('counts a backup that fails, and says why in the log', async () => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    server = await ServerProcess.start({ env: { BACKUP_DIR: join(file, 'backups') } });
    const running = server;
    await eventually('the metric', async () => {
      const { text } = await send(running, '/metrics');
      return text.includes('roomful_backups_failed_total 1') ? true : undefined;
    });
    expect(running.stderr).toMatch(/"told":"[^"\n]*a part of this path is a file[^"\n]*".*a backup failed/);
  });

  it('makes one at once in a folder that it has not used', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const hasOne = (into: string) => existsSync(into) && readdirSync(into).some((name) => /Z$/.test(name));
    server = await ServerProcess.start({ env: { BACKUP_DIR: first } });
    await eventually('the first backup', () => hasOne(first) || undefined);
    const { dataDir } = server;
    await server.stop();
    server = await ServerProcess.start({ dataDir, env: { BACKUP_DIR: second } });
    await eventually('one in the other folder', () => hasOne(second) || undefined);
  });
});

describe('roomful backup --into', () => {
  it('says which argument is wrong', async () => {
    const at = { dataDir: folder };
    for (const [args, sentence] of [
      [[], /Name a folder: --to or --into/],
      [['--to', 'a', '--into', 'b'], /Name a folder: --to or --into/],
      [['--to', 'a', '--keep', '3'], /--keep goes with --into/],
      [['--into', 'a', '--keep', '0'], /a number of backups/],
    ] as const) {
      const { code, stderr } = await runCommand(at, ['backup', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    }
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('a server with KEEP_MESSAGES_DAYS', () => {
  it('deletes what is older, once a day, with one row of the audit log; roomful compact shortens the file', async () => {
    server = await ServerProcess.start({ env: { KEEP_MESSAGES_DAYS: '30', MESSAGES_PER_SECOND: '0' } });
    const ann = await signUp(server);
    const rooms = [await createRoom(server, ann), await createRoom(server, ann)];
    const line = await LineClient.start(server, ann);
    for (const { id } of rooms)
      for (let index = 0; index < 150; index++) await line.post(id, `old ${index}`.padEnd(3000, 'x'));
    await line.close();
    await server.stop();
    const sqlite = database(server);
    sqlite.exec(`UPDATE messages SET created_at = created_at - ${31 * DAY_MS};
      UPDATE meta SET value = '0' WHERE key = 'due:retention'`);
    sqlite.close();
    await server.restart();
    const running = server;
    const entries = await eventually('the row of the audit log', async () => {
      const { stdout } = await runCommand(running, ['audit', '--json']);
      const rows = JSON.parse(stdout).entries.filter(
        ({ action }: { action: string }) => action === 'messages_pruned',
      );
      return rows[0]?.details.messages === 300 ? rows : undefined;
    });
    expect(entries).toMatchObject([{ actor: null, room: null, details: { messages: 300, rooms: 2 } }]);
    const again = await logIn(running, ann.username);
    for (const { id } of rooms)
      expect((await readHistory(running, again, id)).every(({ content }) => content === '')).toBe(true);

    expect((await runCommand(running, ['compact'])).stderr).toMatch(
      /^Another Roomful is using the data folder/,
    );
    await running.stop();
    const file = join(running.dataDir, 'data/roomful.db');
    const before = statSync(file).size;
    const compacted = await runCommand(running, ['compact']);
    expect(compacted).toMatchObject({ code: 0, stderr: '' });
    expect(compacted.stdout).toMatch(/^The database had .* MiB, and has .* MiB now\. Start the server\.\n$/);
    expect(statSync(file).size).toBeLessThan(before - 500_000);
    expect((await runCommand(running, ['verify'])).code).toBe(0);
  });
});

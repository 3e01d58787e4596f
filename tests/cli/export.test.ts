/** `roomful export` and `import`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportTables, LEFT_OUT } from '../../server/data/export/format.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { contentOf, Exporting, manifestOf, type Place, rewrite } from '../postgres/exporting.ts';
import { withSource } from '../postgres/filled-source.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, logIn, PASSWORD, readHistory, signUp } from '../support/users.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = join(ROOT, 'dist/server/process/cli/main.js');

let exporting: Exporting;
beforeEach(() => {
  exporting = new Exporting();
});
afterEach(() => exporting.dispose());

describe('export, import, export', () => {
  it('gives identical files, and a manifest that differs in its epoch and in the ids that come next', async () => {
    const first = await exporting.export(exporting.filled());
    const place = exporting.empty();
    await exporting.import(place, first);
    const second = await exporting.export(place);
    expect(contentOf(second)).toEqual(contentOf(first));
    expect(manifestOf(second).epoch).not.toBe(manifestOf(first).epoch);
    for (const [table, id] of Object.entries(manifestOf(first).last_ids))
      expect(manifestOf(second).last_ids, table).toMatchObject({ [table]: id + 1_000_000_000 });
    expect(manifestOf(second).settings).toEqual({
      registration: 'invite',
      name: 'Acme',
      icon: 'QUJDREVGR0hJSktMTU5PUA',
    });
  });

  it('nobody else may read it, and what is secret or short-lived is not in it', async () => {
    const folder = await exporting.export(exporting.filled());
    for (const name of ['', ...readdirSync(folder)])
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    expect(readdirSync(folder)).toEqual(
      [...exportTables().map(({ name }) => `${name}.jsonl`), 'manifest.json'].toSorted(),
    );
    for (const name of LEFT_OUT) expect(existsSync(join(folder, `${name}.jsonl`)), name).toBe(false);
    const withoutPasswords = await exporting.export(exporting.filled(), false);
    expect(readFileSync(join(withoutPasswords, 'users.jsonl'), 'utf8')).not.toContain('password_hash 1');
  });

  it('docs/EXPORT.md names every file, every field of it, and every table that is left out', () => {
    const page = readFileSync(join(ROOT, 'docs/EXPORT.md'), 'utf8');
    for (const { name, columns } of exportTables()) {
      const section = page.split(`### \`${name}.jsonl\`\n`)[1]?.split('\n#')[0] ?? '';
      expect(section, name).not.toBe('');
      const missing = columns.filter((column) => !section.includes(`\`${column}\``));
      expect(missing, name).toEqual([]);
    }
    for (const name of LEFT_OUT) expect(page).toContain(`\`${name}\``);
  });
});

describe('an import', () => {
  it.each<[string, (folder: string) => void, string]>([
    [
      'a file that is damaged',
      (folder) => change(folder, 'rooms.jsonl', (text) => text.replace('rooms.name 1', 'rooms.name 7')),
      'The export is damaged: rooms.jsonl is not the file of its manifest.',
    ],
    [
      'a line that is cut off',
      (folder) => rewrite(folder, 'rooms.jsonl', (text) => text.slice(0, -20)),
      'rooms.jsonl, line 3: it is not JSON, or it is cut off.',
    ],
    [
      'a file that is missing',
      (folder) => rmSync(join(folder, 'rooms.jsonl')),
      'The export is not complete: it has no rooms.jsonl.',
    ],
    [
      'a field of the wrong type',
      (folder) => rewrite(folder, 'users.jsonl', (text) => text.replace('"id":2', '"id":"2"')),
      'users.jsonl, line 2: "id" must be a whole number.',
    ],
    [
      'a field that is not known',
      (folder) => rewrite(folder, 'users.jsonl', (text) => text.replace('{"id":3', '{"age":1,"id":3')),
      'users.jsonl, line 3: "age" is not a field of this file.',
    ],
    [
      'a row that comes twice',
      (folder) => rewrite(folder, 'users.jsonl', (text) => text + text.split('\n')[0]),
      'users.jsonl, line 4 was refused: ',
    ],
    [
      'fewer lines than the manifest says',
      (folder) => change(folder, 'manifest.json', (text) => text.replaceAll('"rows": 3', '"rows": 4')),
      ' has 3 lines, and its manifest says 4.',
    ],
    [
      'more lines than a file of this size has',
      (folder) =>
        change(folder, 'manifest.json', (text) => text.replace('"rows": 3', '"rows": 9000000000000')),
      'The export is damaged: users.jsonl is not the file of its manifest.',
    ],
    [
      'a newer format',
      (folder) => change(folder, 'manifest.json', (text) => text.replace('export 2', 'export 3')),
      'and this Roomful knows "roomful export 2". Import it with a newer Roomful.',
    ],
    [
      'an older format',
      (folder) => change(folder, 'manifest.json', (text) => text.replace('export 2', 'export 1')),
      'Import it with the Roomful that made it, and update afterwards.',
    ],
    [
      'a room of the first format',
      (folder) => change(folder, 'manifest.json', (text) => text.replace('export 2', 'room 1')),
      'The export has the format "roomful room 1", which was for reading only.',
    ],
    [
      'another schema',
      (folder) => change(folder, 'manifest.json', (text) => text.replace(/"schema": \d+/, '"schema": 99')),
      'Import it with that version, and update afterwards.',
    ],
  ])('refuses %s, and leaves no database', async (_, damage, sentence) => {
    const folder = await exporting.export(exporting.filled());
    damage(folder);
    const place = exporting.empty();
    await expect(exporting.import(place, folder)).rejects.toMatchObject({
      name: 'UnusableDatabaseError',
      message: expect.stringContaining(sentence),
    });
    expect(readdirSync(place.dataDir)).toEqual(['roomful.lock']);
  });

  it('refuses data that breaks a rule of `roomful verify`, unless it is forced', async () => {
    const folder = await exporting.export(exporting.filled());
    await expect(exporting.import(exporting.empty(), folder, false)).rejects.toThrow(
      /^The data of the export is damaged\. With --force/,
    );
  });

  it('never fills a database that is there', async () => {
    const place = exporting.filled();
    const folder = await exporting.export(place);
    await expect(exporting.import(place, folder)).rejects.toThrow(/^There is a database in /);
  });

  it('that is killed leaves no database, and so does an export leave none that is taken', async () => {
    const place = exporting.filled();
    const [from, to] = [await exporting.export(place), exporting.path('killed')];
    // Many rows, so that both are at work when they are killed.
    withSource(place.dataDir, (sqlite) =>
      sqlite.exec(`
        INSERT INTO messages (room_id, seq, changed_seq, number, user_id, created_at, content)
        SELECT 1, 2000000 + value, 2000000 + value, value, 1, 1, 'many' FROM
        (WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 300000)
         SELECT value FROM numbers)`),
    );
    await killOnce(['export', '--to', to], place, () => existsSync(join(`${to}.partial`, 'messages.jsonl')));
    expect(existsSync(to)).toBe(false);
    const large = await exporting.export(place);
    const target = exporting.empty();
    const staged = join(target.dataDir, 'importing', 'roomful.db');
    const isFilling = () => (statSync(staged, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000;
    await killOnce(['import', '--from', large, '--force'], target, isFilling);
    expect(existsSync(join(target.dataDir, 'roomful.db'))).toBe(false);
    await exporting.import(target, from);
    expect(contentOf(await exporting.export(target))).toEqual(contentOf(from));
    expect(readdirSync(target.dataDir).filter((name) => name === 'importing')).toEqual([]);
    const { store } = await openSqliteStore({ dataDir: target.dataDir, onFatal: () => undefined });
    await store.close();
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('of a service', () => {
  let server: ServerProcess;
  beforeEach(async () => {
    server = await ServerProcess.start();
  });
  afterEach(async () => await server?.dispose());

  const run = (...args: string[]) => runCommand(server, args);

  it('an export has what was acknowledged before it began, while the server goes on, and an import brings it back', async () => {
    const ann = await signUp(server);
    const roomId = (await createRoom(server, ann)).id;
    const line = await LineClient.start(server, ann);
    const ids: number[] = [];
    for (let index = 0; index < 20; index++) ids.push((await line.post(roomId, `text ${index}`)).id);
    const to = exporting.path('service');
    const [exported] = await Promise.all([run('export', '--to', to, '--json'), line.post(roomId, 'during')]);
    await line.close();
    expect([exported.code, exported.stderr]).toEqual([
      0,
      'The export has the hashes of all passwords. Keep it like a backup, or use --no-passwords.\n',
    ]);
    expect(JSON.parse(exported.stdout)).toEqual(manifestOf(to));
    const again = await run('export', '--to', to);
    expect([again.code, again.stderr]).toEqual([1, `${to} is there already. Name a folder that is not.\n`]);
    const running = await run('import', '--from', to);
    expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/^Another Roomful is using/)]);
    await server.stop();
    rmSync(join(server.dataDir, 'data', 'roomful.db'));
    const imported = await run('import', '--from', to);
    expect([imported.code, imported.stderr]).toEqual([0, '']);
    expect(imported.stdout).toMatch(/It is sound\. Everybody signs in again\. Start the server\.\n$/);
    await server.restart();
    expectRefusal(await send(server, '/api/v1/me', { token: ann.accessToken }), 401, 'invalid token');
    const back = await logIn(server, ann.username);
    const history = await readHistory(server, back, roomId);
    expect(history.map(({ id }) => id).slice(0, 20)).toEqual(ids);
    const next = await LineClient.start(server, back);
    expect((await next.post(roomId, 'next')).id).toBeGreaterThan(1_000_000_000);
    await next.close();
  });

  it('an export of one room has its texts, and of its people no more than the room shows', async () => {
    const [ann, bob] = [await signUp(server), await signUp(server)];
    const [room, other] = [await createRoom(server, ann), await createRoom(server, bob)];
    const line = await LineClient.start(server, ann);
    await line.post(room.id, 'in the room');
    await line.close();
    const to = exporting.path('room');
    const exported = await run('export', '--room', `#${room.name}`, '--to', to, '--json');
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    expect(JSON.parse(exported.stdout)).toMatchObject({ format: 'roomful room 2', room_id: room.id });
    const rows = (name: string) =>
      readFileSync(join(to, `${name}.jsonl`), 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text));
    const names = ['files', 'members', 'message_revisions', 'messages', 'reactions', 'rooms', 'users'];
    expect(readdirSync(to)).toEqual(['manifest.json', ...names.map((name) => `${name}.jsonl`)].toSorted());
    expect(rows('users')).toEqual([
      { id: expect.any(Number), display_name: '', kind: 'person', username: ann.username },
    ]);
    expect(rows('members').map((member) => Object.keys(member))).toEqual([
      ['user_id', 'room_id', 'banned_until', 'joined_at', 'left_at', 'role', 'silenced_until'],
    ]);
    expect(rows('rooms')).toMatchObject([{ id: room.id, name: room.name }]);
    expect(rows('messages').map(({ content, room_id }) => [content, room_id])).toContainEqual([
      'in the room',
      room.id,
    ]);
    expect(rows('messages').every(({ room_id }) => room_id !== other.id)).toBe(true);
    const unknown = await run('export', '--room', '#nowhere', '--to', exporting.path('room'));
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There is no room "#nowhere".\n']);
    await expect(exporting.import(exporting.empty(), to)).rejects.toThrow(
      /^This is the export of one room, and not of a whole service\.$/,
    );
  });

  it('without passwords nobody signs in until a link has set a new one', async () => {
    const ann = await signUp(server);
    const to = exporting.path('service');
    const exported = await run('export', '--to', to, '--no-passwords');
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    await server.stop();
    rmSync(join(server.dataDir, 'data', 'roomful.db'));
    expect((await run('import', '--from', to)).stdout).toMatch(/Nobody has a password/);
    await server.restart();
    const login = { username: ann.username, password: PASSWORD };
    expectRefusal(await post(server, '/api/v1/auth/login', login), 401, 'invalid credentials');
    const reset = JSON.parse((await run('user', 'reset-password', ann.username, '--json')).stdout);
    const used = await post(server, '/api/v1/auth/reset', {
      code: reset.code,
      password: 'a new long password',
    });
    expect(used.status).toBeLessThan(300);
  });
});

/** Changes a file behind the manifest's back. */
function change(folder: string, name: string, by: (text: string) => string): void {
  writeFileSync(join(folder, name), by(readFileSync(join(folder, name), 'utf8')));
}

/** Runs a command on this database, and ends it with SIGKILL once it is at work. */
async function killOnce(args: string[], { dataDir }: Place, isAtWork: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await eventually(`${args[0]} is at work`, () => (isAtWork() ? true : undefined), 60_000);
  child.kill('SIGKILL');
  expect((await ended)[1]).toBe('SIGKILL');
}

/** `roomful backup`, `restore` and `verify`. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { runCommand } from '../support/command.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';

let server: ServerProcess;
let folder: string;
let ann: Login;
let roomId: number;
beforeEach(async () => {
  server = await ServerProcess.start();
  folder = mkdtempSync(join(tmpdir(), 'roomful-backup-'));
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterEach(async () => {
  await server?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runCommand(server, args);
const to = () => join(folder, 'backup');
const dataDir = () => join(server.dataDir, 'data');

async function say(count: number, from = 0): Promise<number[]> {
  const line = await LineClient.start(server, ann);
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.push((await line.post(roomId, `text ${from + index}`)).id);
  await line.close();
  return ids;
}

/** Changes the data behind the server's back. */
function tamper(statement: string): void {
  const sqlite = openDatabase(join(dataDir(), 'roomful.db'), { timeoutMs: 5000 });
  sqlite.exec(statement);
  sqlite.close();
}

describe.skipIf(whyNotEmbedded() !== undefined)('a backup', () => {
  it('has everything that was acknowledged before it began, while the server goes on; nobody else may read it', async () => {
    const before = await say(20);
    const [backup, during] = await Promise.all([run('backup', '--to', to(), '--json'), say(30, 20)]);
    expect([backup.code, backup.stderr]).toEqual([0, '']);
    const manifest = JSON.parse(backup.stdout);
    expect(manifest.counts.messages).toBeGreaterThanOrEqual(before.length);
    expect(readdirSync(to()).sort()).toEqual(['jwt-secret', 'manifest.json', 'roomful.db']);
    for (const name of ['', 'jwt-secret', 'manifest.json', 'roomful.db'])
      expect(statSync(join(to(), name)).mode & 0o077, name).toBe(0);
    expect(JSON.parse(readFileSync(join(to(), 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(readFileSync(join(dataDir(), 'last-backup'), 'utf8').trim()).toBe(manifest.made_at);
    expect(readdirSync(folder)).toEqual(['backup']);
    expect(during).toHaveLength(30);
    expect((await run('verify', '--file', join(to(), 'roomful.db'))).code).toBe(0);
  });

  it('is restored: the same messages, a new epoch, everybody signs in again, and no id comes twice', async () => {
    const before = await say(5);
    expect((await run('backup', '--to', to())).code).toBe(0);
    const after = await say(5, 5);
    await server.stop();
    rmSync(dataDir(), { recursive: true });
    const restored = await run('restore', '--from', to());
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(restored.stdout).toMatch(/^The state of .* is restored and sound\. Start the server\.\n$/);
    expect((await run('doctor', '--json')).stdout).toContain('The latest is 0.0 days old.');
    await server.restart();
    expectRefusal(await send(server, '/api/v1/me', { token: ann.accessToken }), 401, 'invalid token');
    const refresh = await post(server, '/api/v1/auth/refresh', { refresh_token: ann.refreshToken });
    expectRefusal(refresh, 401, 'invalid refresh token');
    ann = await logIn(server, ann.username);
    expect((await readHistory(server, ann, roomId)).map(({ id }) => id)).toEqual(before);
    const [next = 0] = await say(1, 10);
    expect(next).toBeGreaterThan(Math.max(...after) + 999_999_000);
    expect((await createRoom(server, ann)).id).toBeGreaterThan(1_000_000_000);
    expect((await run('verify')).stdout).toMatch(/^The database is sound\./);
  });

  it('never replaces a folder, and a restore moves aside what is there only when it is told to', async () => {
    await say(2);
    expect((await run('backup', '--to', to())).code).toBe(0);
    const again = await run('backup', '--to', to());
    expect([again.code, again.stderr]).toEqual([1, `${to()} is there already. Name a folder that is not.\n`]);
    const running = await run('restore', '--from', to(), '--force');
    expect(running.code).toBe(1);
    expect(running.stderr).toMatch(/^Another Roomful is using the data folder /);
    await server.stop();
    const refused = await run('restore', '--from', to());
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/With --force it is moved aside/),
    ]);
    const forced = await run('restore', '--from', to(), '--force', '--json');
    expect(forced.code).toBe(0);
    const { moved_to: aside } = JSON.parse(forced.stdout);
    expect(readdirSync(aside)).toContain('roomful.db');
  });

  it('that is damaged is refused, and the database that was there stays', async () => {
    await say(2);
    expect((await run('backup', '--to', to())).code).toBe(0);
    const file = join(to(), 'roomful.db');
    const bytes = readFileSync(file);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await server.stop();
    const restored = await run('restore', '--from', to(), '--force');
    expect([restored.code, restored.stderr]).toEqual([
      1,
      'The backup is damaged: its database is not the one of its manifest.\n',
    ]);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    writeFileSync(join(to(), 'jwt-secret'), 'another secret, which is long enough to be taken');
    expect((await run('restore', '--from', to(), '--force')).stderr).toBe(
      'The backup is damaged: its secret is not the one of its manifest.\n',
    );
    rmSync(file);
    const halved = await run('restore', '--from', to(), '--force');
    expect([halved.code, halved.stderr]).toEqual([
      1,
      expect.stringMatching(/^The backup is damaged: there is no roomful\.db in .*\n$/),
    ]);
    await server.restart();
    expect(await readHistory(server, ann, roomId)).toHaveLength(2);
    const none = await run('restore', '--from', folder);
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/^There is no backup in /)]);
  });

  it('to a place that the system refuses says which, and what helps', async () => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    const refused = await run('backup', '--to', join(file, 'x', 'y'));
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^.*a file.*: a part of this path is a file\. Name a folder\.\n$/);
  });

  it('of a damaged database is kept, says so, and is restored with its damage', async () => {
    tamper('UPDATE rooms SET members = 7');
    const backup = await run('backup', '--to', to());
    expect(backup.code).toBe(1);
    expect(backup.stdout).toMatch(
      /The database is damaged, and so is its copy\.\nbroken 1 times: each room counts/,
    );
    await server.stop();
    const restored = await run('restore', '--from', to(), '--force');
    expect([restored.code, restored.stdout]).toEqual([
      0,
      expect.stringMatching(/with the damage that the backup has/),
    ]);
  });

  it('that was killed leaves nothing that a restore takes, and the next one works', async () => {
    for (const left of ['backup.partial', 'backup.partial.trial']) mkdirSync(join(folder, left));
    writeFileSync(join(folder, 'backup.partial', 'roomful.db'), 'a part');
    const refused = await run('restore', '--from', `${to()}.partial/`, '--force');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was never finished')]);
    expect((await run('backup', '--to', to(), '--without-secret')).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['backup']);
    expect(readdirSync(to()).sort()).toEqual(['manifest.json', 'roomful.db']);
  });

  it('has no name that ends in .partial: one with that name is not restored, though all of it is there', async () => {
    const named = await run('backup', '--to', `${to()}.partial`);
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining('Name another folder.')]);
    expect((await run('backup', '--to', to())).code).toBe(0);
    renameSync(to(), `${to()}.partial`);
    await server.stop();
    const refused = await run('restore', '--from', `${to()}.partial`, '--force');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was never finished')]);
    renameSync(`${to()}.partial`, to());
    expect((await run('restore', '--from', to(), '--force')).code).toBe(0);
  });

  it('brings back no link that was ended after it', async () => {
    const invite = await post(server, `/api/v1/rooms/${roomId}/invites`, {}, { token: ann.accessToken });
    const { code } = invite.json as { code: string };
    const reset = JSON.parse((await run('user', 'reset-password', ann.username, '--json')).stdout);
    expect((await run('backup', '--to', to())).code).toBe(0);
    await server.stop();
    expect((await run('restore', '--from', to(), '--force')).code).toBe(0);
    await server.restart();
    expectRefusal(await send(server, `/api/v1/invites/${code}`), 404, 'invite not found');
    const found = await post(server, '/api/v1/auth/reset/find', { code: reset.code });
    expectRefusal(found, 404, 'link not found');
  });
});

describe('verify', () => {
  it('finds nothing wrong with a database in use, whichever it is', async () => {
    await say(3);
    const { code, stdout } = await run('verify');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^The database is sound\. It has \d+ users, 1 rooms, 3 messages/),
    ]);
  });
});

/** A reply to the first message, and two reactions at it. */
async function embellish(): Promise<void> {
  const line = await LineClient.start(server, ann);
  await line.enter(roomId);
  line.send({ type: 'message', room_id: roomId, content: 'reply', cid: 'reply', thread_id: 1 });
  await line.waitFor('ack', ({ cid }) => cid === 'reply');
  await line.close();
  for (const { accessToken: token } of [ann, await signUp(server)]) {
    const path = `/api/v1/rooms/${roomId}/messages/1/reactions/${encodeURIComponent('🦊')}`;
    expect((await send(server, path, { method: 'PUT', token })).status).toBe(204);
  }
}

describe.skipIf(whyNotEmbedded() !== undefined)('verify of what is left of a removed account', () => {
  it.each([
    [
      "UPDATE users SET display_name = 'Bo' WHERE id = 2",
      'a removed account has no name, no password and no profile',
    ],
    [
      "UPDATE users SET status = '{}' WHERE id = 2",
      'a removed account has no name, no password and no profile',
    ],
    [
      'UPDATE users SET suspended_at = NULL WHERE id = 2',
      'a removed account has no name, no password and no profile',
    ],
    [
      'UPDATE members SET left_at = NULL WHERE user_id = 2; UPDATE rooms SET members = members + 1',
      'a removed account is in no room, and owns none',
    ],
    [
      "INSERT INTO user_words (user_id, word) VALUES (2, 'bo')",
      'nothing is kept that was a removed account’s alone',
    ],
    [
      'UPDATE sessions SET revoked_at = NULL WHERE user_id = 2',
      'nothing is kept that was a removed account’s alone',
    ],
  ])('%s: finds it; to remove the account again mends it', async (statement, rule) => {
    await say(1);
    const bo = await signUp(server);
    expect(bo.userId).toBe(2);
    // Everybody joins the first room.
    const remove = (name: string) => run('user', 'remove', name, '--texts', 'keep', '--yes');
    expect((await remove(bo.username)).code).toBe(0);
    expect((await run('verify')).code).toBe(0);
    tamper(statement);
    const { code, stdout } = await run('verify', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([expect.objectContaining({ rule })]);
    expect((await remove('Removed user 2')).code).toBe(0);
    expect((await run('verify')).stdout).toMatch(/^The database is sound/);
  });
});

describe.skipIf(whyNotEmbedded() !== undefined)('verify of damaged data', () => {
  it.each([
    ['DELETE FROM messages WHERE id = 2', 'the texts of each room are numbered without a gap'],
    ['UPDATE rooms SET seq = 1', 'no message has a number above that of its room'],
    ['UPDATE rooms SET members = 9', 'each room counts its members'],
    ['UPDATE messages SET user_id = 99 WHERE id = 1', 'each row of messages has its row of users'],
    [
      "UPDATE messages SET extra = json_set(extra, '$.thread.replies', 7) WHERE id = 1",
      'each thread counts its replies',
    ],
    ['DELETE FROM reactions WHERE user_id = 2', 'each message counts its reactions'],
    ['UPDATE user_logs SET seq = 0', "no row of a user's own has a number above that of the user's log"],
  ])('%s: finds it, and ends with code 1', async (statement, rule) => {
    await say(3);
    await embellish();
    expect((await run('verify')).code).toBe(0);
    tamper(`PRAGMA foreign_keys = OFF; ${statement}`);
    const { code, stdout } = await run('verify', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings.map((finding: { rule: string }) => finding.rule)).toContain(rule);
  });
});

import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loginResponse } from '../../protocol/rest/accounts.ts';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post, send } from '../support/http.ts';
import { whyNoProc } from '../support/linux.ts';
import { type ServerOptions, ServerProcess, StartError } from '../support/server-process.ts';
import { signUp } from '../support/users.ts';

/** Starts a server that must fail to start; returns its output. */
async function refusalOf(options: ServerOptions): Promise<StartError> {
  try {
    await using server = await ServerProcess.start(options);
    throw new Error(`it started on port ${server.port}`);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

describe('an unknown or bad value stops the start with a sentence that names it', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', ' 8080'],
    ['ACCESS_TOKEN_TTL_S', '0'],
    ['REFRESH_TOKEN_TTL_S', '1e9'],
    ['WS_TICKET_TTL_S', 'sixty'],
    ['RATE_LIMIT_PER_SECOND', '-1'],
    ['RATE_LIMIT_BURST', '4O'],
    ['MESSAGES_PER_SECOND', 'many'],
    ['SOCKETS_PER_USER', '-5'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'everyone'],
    ['RATE_LIMIT_EXEMPT', '10.0.0.0/0'],
    ['RATE_LIMIT_EXEMPT', '192.0.2.1, office'],
    ['ALLOWED_ORIGINS', 'example.org'],
    ['ALLOWED_ORIGINS', 'https://example.org/path'],
    ['PUBLIC_URL', 'chat.example.org'],
    ['PUBLIC_URL', 'https://chat.example.org/'],
    ['OUTGOING_ALLOW', '10.0.0.0/0'],
    ['OUTGOING_ALLOW', 'push.internal:99999'],
    ['LOG_LEVEL', 'loud'],
    ['CLIENT_DIR', '/no/such/folder'],
    ['DATABASE_URL', 'mysql://localhost/chat'],
    ['REDIS_URL', 'localhost:6379'],
    ['WEB_CONCURRENCY', '0'],
    ['WEB_CONCURRENCY', '2'],
    ['OVERLOAD_DELAY_MS', 'never'],
    ['OVERLOAD_MEMORY_MB', '85%'],
  ])('%s=%s', async (name, value) => {
    const { exit, stderr } = await refusalOf({ env: { [name]: value } });
    expect(exit?.code).toBeGreaterThan(0);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test.skipIf(whyNoProc() !== undefined)('a DATA_DIR where nothing can be made', async () => {
    const { exit, stderr } = await refusalOf({ env: { DATA_DIR: '/proc/nope/data' } });
    expect(exit?.code).toBe(1);
    expect(stderr).toContain('DATA_DIR (/proc/nope/data)');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test.each([
    ['ALLOWED_ORIGINS', 'https://example.org:443', ':443'],
    ['ALLOWED_ORIGINS', 'http://example.org, http://localhost:80', ':80'],
    ['PUBLIC_URL', 'https://[2001:db8::1]:443', ':443'],
  ])('%s=%s: the error names the default port as the mistake', async (name, value, port) => {
    const { stderr } = await refusalOf({ env: { [name]: value } });
    expect(stderr).toContain(`leave out ${port}, the default port`);
  });

  test('REDIS_URL without DATABASE_URL: the error says what to do', async () => {
    const { exit, stderr } = await refusalOf({ env: { REDIS_URL: 'redis://127.0.0.1:6379' } });
    expect(exit?.code).toBe(2);
    expect(stderr.trim()).toBe(
      'REDIS_URL needs PostgreSQL, which several processes can share: ' +
        'set DATABASE_URL, too, or unset REDIS_URL to run one process.',
    );
  });

  test('all bad values at once are all named', async () => {
    const { stderr } = await refusalOf({ env: { PORT: 'x', LOG_LEVEL: 'y', RATE_LIMIT_BURST: 'z' } });
    for (const name of ['PORT', 'LOG_LEVEL', 'RATE_LIMIT_BURST']) expect(stderr).toContain(name);
  });

  test.each([
    'secret',
    'change-me-change-me-change-me-change-me',
    'your-256-bit-secret-your-256-bit',
    'supersecretjwtkeysupersecretjwtkey',
    'a'.repeat(64),
  ])('a default or short secret with NODE_ENV=production refuses to start: %s', async (secret) => {
    const { exit, stderr } = await refusalOf({ env: { NODE_ENV: 'production', JWT_SECRET: secret } });
    expect(exit?.code).toBe(2);
    expect(stderr).toContain('JWT_SECRET');
    expect(stderr).not.toContain(secret);
  });

  test('a port that is taken: the error names the port', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exit, stderr } = await refusalOf({ env: { PORT: String(port) } });
    holder.close();
    expect(exit?.code).toBeGreaterThan(0);
    expect(stderr).toContain(String(port));
  });

  test('a data folder that is a file: the error names it', async () => {
    await using server = await ServerProcess.start();
    const file = join(server.dataDir, 'file');
    await writeFile(file, '');
    const { exit, stderr } = await refusalOf({ dataDir: server.dataDir, env: { DATA_DIR: file } });
    expect(exit?.code).toBeGreaterThan(0);
    expect(stderr).toContain('file');
  });
});

describe('settings that work', () => {
  test('the generated secret and its folder are readable by their owner alone', async () => {
    await using server = await ServerProcess.start();
    const secret = await stat(join(server.dataDir, 'data', 'jwt-secret'));
    expect(secret.mode & 0o777).toBe(0o600);
  });

  test('a secret that others may read is made private at the start, with one warning', async () => {
    await using server = await ServerProcess.start();
    const file = join(server.dataDir, 'data', 'jwt-secret');
    for (const mode of [0o644, 0o666]) {
      await server.stop();
      await chmod(file, mode);
      await server.restart();
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const warnings = await server.logged(({ msg }) => String(msg).includes('jwt-secret'), 2);
    expect(warnings).toMatchObject([
      { level: 40, msg: expect.stringContaining('mode 644') },
      { level: 40, msg: expect.stringContaining('mode 666') },
    ]);
  });

  test('DATA_DIR holds roomful.db', async () => {
    await using server = await ServerProcess.start();
    expect((await stat(join(server.dataDir, 'data', 'roomful.db'))).isFile()).toBe(true);
  });

  test('a .env in the working directory is read; what the environment sets wins', async () => {
    await using first = await ServerProcess.start();
    await first.stop();
    const folder = join(first.dataDir, 'env');
    await mkdir(folder);
    await writeFile(join(folder, '.env'), 'ACCESS_TOKEN_TTL_S=77\nRATE_LIMIT_PER_SECOND=not-a-number\n');
    await using server = await ServerProcess.start({ dataDir: folder });
    const ann = await signUp(server);
    const credentials = { username: ann.username, password: ann.password };
    const answer = expectReply(await post(server, '/api/v1/auth/login', credentials), 200, loginResponse);
    expect(answer.expires_in).toBe(77);
  });

  test('a line of .env that is no assignment stops the start with its number', async () => {
    await using first = await ServerProcess.start();
    await first.stop();
    const folder = join(first.dataDir, 'env');
    await mkdir(folder);
    await writeFile(join(folder, '.env'), 'ACCESS_TOKEN_TTL_S=77\nHOST: 127.0.0.1\n');
    const { exit, stderr } = await refusalOf({ dataDir: folder });
    expect(exit?.code).toBe(2);
    expect(stderr).toBe('.env line 2 is not NAME=value.\n');
  });

  test('a name in .env that is nearly a setting is told in the log, and others are not', async () => {
    await using first = await ServerProcess.start();
    await first.stop();
    const folder = join(first.dataDir, 'env');
    await mkdir(folder);
    await writeFile(join(folder, '.env'), 'BACKUP_DRI=/x\nport=1\nPOSTGRES_PASSWORD=x\n');
    await using server = await ServerProcess.start({ dataDir: folder });
    const told = server.stderr.split('\n').filter((line) => line.includes('is no setting'));
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, name: 'BACKUP_DRI', meant: 'BACKUP_DIR' },
      { level: 40, name: 'port', meant: 'PORT' },
    ]);
  });

  test('an empty value counts as not set', async () => {
    await using server = await ServerProcess.start({
      env: { ALLOWED_ORIGINS: '', LOG_LEVEL: '', JWT_SECRET: '' },
    });
    expect((await send(server, '/healthz')).status).toBe(200);
  });
});

describe('a database newer than the code is refused', () => {
  test('with a sentence, and left as it is', async () => {
    await using server = await ServerProcess.start();
    await server.stop();
    const file = join(server.dataDir, 'data', 'roomful.db');
    const database = openForWriting(file);
    const changed = database
      .prepare("UPDATE meta SET value = value + 1000 WHERE key = 'schema_version'")
      .run();
    expect(changed.changes).toBe(1);
    database.close();
    await expect(server.restart()).rejects.toThrow(/newer/);
  });
});

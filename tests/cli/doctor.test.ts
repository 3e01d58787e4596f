/** `roomful doctor`. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchFile } from '../../server/data/storage/sqlite/data-dir.ts';
import { openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';

const MIB = 1024 * 1024;

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
}, 60_000);
afterAll(async () => await server?.dispose());

async function doctor(args: string[] = [], env: Record<string, string> = {}) {
  const settings = { HOST: '127.0.0.1', PORT: String(server.port), ...env };
  const { code, stdout, stderr } = await runCommand(server, ['doctor', '--json', ...args], { env: settings });
  expect(stderr).toBe('');
  const { checks } = JSON.parse(stdout) as { checks: { name: string; verdict: string; told: string }[] };
  const of = (name: string) => checks.find((check) => check.name === name);
  return { code, checks, of };
}

describe.skipIf(whyNotEmbedded() !== undefined)('roomful doctor', () => {
  it('a server that runs: no problem; warnings say what to do', async () => {
    const { code, checks, of } = await doctor(['--url', `http://127.0.0.1:${server.port}`]);
    expect(checks.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    expect(code).toBe(0);
    expect(of('port')?.told).toMatch(/^Roomful .* answers on /);
    expect(of('database')).toMatchObject({
      verdict: 'warning',
      told: expect.stringContaining('admin grant'),
    });
    expect(of('backup')).toMatchObject({ verdict: 'warning' });
    expect(of('WebSocket')).toMatchObject({ verdict: 'ok' });
    expect(of('headers')).toMatchObject({ verdict: 'ok' });
    expect(of('uploads')).toMatchObject({
      verdict: 'ok',
      told: 'Requests of 8 MiB come through, as they arrive.',
    });
    expect(of('files')?.told).toMatch(/ is not there yet; the first upload makes it\.$/);
  });

  it('an index of another database, as after a restore, is not taken for that of this one', async () => {
    const told = async () => (await doctor()).of('search')?.told;
    await eventually(
      'the index',
      async () => (await told()) === 'All messages are in the index.' || undefined,
    );
    const sqlite = openForWriting(searchFile(join(server.dataDir, 'data')));
    sqlite.exec("UPDATE meta SET epoch = 'before ' || epoch");
    expect(await told()).toMatch(/^The index is that of the database before it was restored/);
    sqlite.exec("UPDATE meta SET epoch = substr(epoch, length('before ') + 1)");
    sqlite.close();
    expect(await told()).toBe('All messages are in the index.');
  });

  it('a secret that others can read is a problem, and the exit code 1', async () => {
    const secret = join(server.dataDir, 'data', 'jwt-secret');
    chmodSync(secret, 0o644);
    const { code, of } = await doctor();
    chmodSync(secret, 0o600);
    expect(code).toBe(1);
    expect(of('secret')).toMatchObject({ verdict: 'problem', told: expect.stringContaining('chmod 600') });
  });

  it('a backup folder and a data folder that cannot be made are problems', async () => {
    const file = join(server.dataDir, 'a file');
    writeFileSync(file, '');
    const backups = await doctor([], { BACKUP_DIR: join(file, 'backups') });
    expect([backups.code, backups.of('backup folder')?.verdict]).toEqual([1, 'problem']);
    const good = await doctor([], { BACKUP_DIR: join(server.dataDir, 'backups') });
    expect([good.code, good.of('backup folder')?.verdict]).toEqual([0, 'ok']);
    const data = await doctor([], { DATA_DIR: join(file, 'data') });
    expect([data.code, data.of('data folder')?.verdict]).toEqual([1, 'problem']);
  });

  it('a port that another program has, a Redis and a database that do not answer are problems', async () => {
    const other = createServer((_request, response) => response.end('not Roomful'));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const nothing = await freePort();
    const { code, of } = await doctor([], {
      ...{ PORT: String(port), REDIS_URL: `redis://127.0.0.1:${nothing}` },
      ...{ DATABASE_URL: `postgres://me:secret@127.0.0.1:${nothing}/roomful`, JWT_SECRET: 'x'.repeat(32) },
    });
    other.close();
    expect(code).toBe(1);
    expect(of('port')).toMatchObject({
      verdict: 'problem',
      told: expect.stringContaining('another program'),
    });
    expect(of('Redis')).toMatchObject({ verdict: 'problem' });
    expect(of('database')).toMatchObject({ verdict: 'problem' });
    expect(of('database')?.told).not.toContain('secret');
  });

  it('a proxy that passes no upgrade on and drops headers is named', async () => {
    const proxy = createServer(async (request, response) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${request.url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(await answer.text());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { code, of } = await doctor(['--url', `http://127.0.0.1:${port}`]);
    proxy.close();
    expect(code).toBe(1);
    expect(of('WebSocket')).toMatchObject({ verdict: 'problem', told: expect.stringContaining('Upgrade') });
    expect(of('headers')).toMatchObject({
      verdict: 'problem',
      told: expect.stringContaining('content-security-policy'),
    });
  });

  it('a proxy that lets small requests through, or collects them, is named for its uploads', async () => {
    let most = 8 * MIB;
    const proxy = createServer(async (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) > most) return response.writeHead(413).end();
      // It passes nothing on before all is there.
      for await (const _ of request);
      const answer = await fetch(`http://127.0.0.1:${server.port}${request.url}`, {
        method: request.method ?? '',
        headers: { 'tus-resumable': '1.0.0' },
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      return response.end(await answer.text());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const told = async () => {
      const { of } = await doctor(['--url', url]);
      return [of('uploads')?.verdict, of('uploads')?.told];
    };
    const collecting = await told();
    most = MIB;
    const small = await told();
    most = 1000;
    const tiny = await told();
    const off = await doctor(['--url', url], { FILE_MAX_MIB: '0' });
    proxy.close();
    expect(collecting).toEqual(['warning', expect.stringContaining('collects them first')]);
    expect(small).toEqual(['warning', expect.stringContaining('of 8 MiB not')]);
    expect(tiny).toEqual(['problem', expect.stringContaining('answered with 413')]);
    expect([off.of('uploads'), off.of('files')?.verdict]).toEqual([undefined, 'ok']);
  });

  it('the folder of files: how long it syncs, who may write there, and its space', async () => {
    const folder = join(server.dataDir, 'files of people');
    const env = { FILES_DIR: folder };
    mkdirSync(folder);
    const good = await doctor([], env);
    expect(good.of('files')).toMatchObject({ told: expect.stringMatching(/; a sync takes [0-9.]+ ms\./) });
    expect(good.of('space for files')?.verdict).toBe('ok');
    expect(readdirSync(folder)).toEqual([]);
    const large = await doctor([], { ...env, FILES_TOTAL_MIB: '999999999' });
    expect(large.of('space for files')).toMatchObject({
      verdict: 'warning',
      told: expect.stringContaining('Lower it'),
    });
    const file = join(server.dataDir, 'no folder');
    writeFileSync(file, '');
    const bad = await doctor([], { FILES_DIR: join(file, 'files') });
    expect([bad.code, bad.of('files')?.verdict]).toEqual([1, 'problem']);
  });

  it('an address where nothing is, and one that is none', async () => {
    const { code, of } = await doctor(['--url', `http://127.0.0.1:${await freePort()}`]);
    expect([code, of('address')?.verdict]).toEqual([1, 'problem']);
    const wrong = await runCommand(server, ['doctor', '--url', 'chat']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/such as https:\/\/chat\.example\.org/),
    ]);
  });
});

/** The files of one room in its export, and their way into another server. */
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttachedFile } from '../../protocol/attached-files.ts';
import { JPEG } from '../../protocol/media/testing/samples.ts';
import { linesOf } from '../postgres/a-room.ts';
import { changeManifest, manifestOf, rewrite } from '../postgres/exporting.ts';
import { runCommand } from '../support/command.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { checkedUpload, newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, type Login, logIn, readHistory, signUp } from '../support/users.ts';

const TEXT = randomBytes(5000);

let source: ServerProcess;
let folder: string;
let ann: Login;
/** The export of a room with a message that has two files. */
let room: string;
let keys: string[];

beforeAll(async () => {
  if (whyNotEmbedded() !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'roomful-room-'));
  source = await ServerProcess.start();
  ann = await signUp(source);
  const { id } = await createRoom(source, ann, 'Photos');
  keys = await attach(id, [TEXT, JPEG]);
  room = await exportRoom(source, id);
});
afterAll(async () => {
  await source?.dispose();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const pathIn = (root: string, key: string) => join(root, key.slice(0, 2), key.slice(2, 4), key);
const filesOf = ({ dataDir }: { dataDir: string }) => join(dataDir, 'data', 'files');
const newFolder = () => mkdtempSync(join(folder, 'part-'));

async function attach(roomId: number, all: readonly Uint8Array[]): Promise<string[]> {
  const files: string[] = [];
  for (const bytes of all) {
    const key = await newUpload(source, ann, roomId, { size: bytes.length, name: 'a.bin', alt: 'a thing' });
    await patchUpload(source, ann, key, 0, bytes);
    await checkedUpload(source, ann, key);
    files.push(key);
  }
  const line = await RoomLine.enter(source, ann, roomId);
  line.send({ type: 'message', room_id: roomId, content: '', cid: String(files[0]), files });
  await line.waitFor('ack');
  await line.close();
  return files;
}

async function exportRoom(server: Pick<ServerProcess, 'dataDir'>, id: number): Promise<string> {
  const to = join(newFolder(), 'room');
  const { code, stderr } = await runCommand(server, ['export', '--room', String(id), '--to', to]);
  expect([code, stderr]).toEqual([0, '']);
  return to;
}

/** A stopped server that has Ann. */
async function target(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await ServerProcess.start({ env });
  await signUp(server, ann.username);
  await server.stop();
  return server;
}

const bring = (server: ServerProcess, from: string, ...args: string[]) =>
  runCommand(server, ['import', '--from', from, '--json', ...(args.length === 0 ? ['--yes'] : args)]);

/** The files of the first message that has some. */
async function filesIn(server: ServerProcess, roomId: number): Promise<AttachedFile[]> {
  const login = await logIn(server, ann.username);
  const history = await readHistory(server, login, roomId);
  return history.find(({ files }) => files !== undefined)?.files ?? [];
}

/** The export with changes, as somebody makes them who wants to harm. */
function tampered(change: (copy: string) => void): string {
  const copy = join(newFolder(), 'room');
  cpSync(room, copy, { recursive: true });
  change(copy);
  return copy;
}

const countOf = (path: string) =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.split('/').length === 3)
        .length
    : 0;

describe.skipIf(whyNotEmbedded() !== undefined)('the files of a room', () => {
  it('come to another server with their bytes, names and keys', async () => {
    await using server = await target();
    const { code, stdout, stderr } = await bring(server, room);
    expect([code, stderr]).toEqual([0, '']);
    await server.restart();
    const files = await filesIn(server, JSON.parse(stdout).room.id);
    expect(files).toMatchObject([
      { key: keys[0], name: 'a.bin', size: 5000, alt: 'a thing' },
      { key: keys[1], type: 'image/jpeg' },
    ]);
    for (const key of keys)
      expect(
        readFileSync(pathIn(filesOf(server), key)).equals(readFileSync(pathIn(filesOf(source), key))),
      ).toBe(true);
    const verified = await runCommand(server, ['verify', '--files']);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const again = await exportRoom(server, JSON.parse(stdout).room.id);
    const comparable = (path: string) =>
      linesOf(path, 'files').map(({ id, owner_id, room_id, message_id, ...line }) => line);
    expect(comparable(again)).toEqual(comparable(room));
  });

  it.skipIf(whyNoPostgres() !== undefined)('come to PostgreSQL as well', async () => {
    await using postgres = await PostgresServer.start();
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      JWT_SECRET: 'long enough for a server, this is',
    };
    await using server = await target(env);
    const { code, stdout, stderr } = await bring(server, room);
    expect([code, stderr]).toEqual([0, '']);
    expect((await runCommand(server, ['verify', '--files'])).code).toBe(0);
    await server.restart();
    expect((await filesIn(server, JSON.parse(stdout).room.id)).map(({ key }) => key)).toEqual(keys);
  });

  it('get new keys where theirs are taken, as in the server that they come from', async () => {
    await using server = await target();
    expect((await bring(server, room)).code).toBe(0);
    const { code, stdout } = await bring(server, room, '--yes', '--name', 'Photos again');
    expect(code).toBe(0);
    expect((await runCommand(server, ['verify', '--files'])).code).toBe(0);
    await server.restart();
    const files = await filesIn(server, JSON.parse(stdout).room.id);
    expect(files.map(({ size }) => size)[0]).toBe(5000);
    for (const { key } of files) expect(keys).not.toContain(key);
    expect(countOf(filesOf(server))).toBe(4);
  });

  it('are looked at again: what only says that it is a photo is none, and a place is taken out', async () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    const [first = '', second = ''] = keys;
    const from = tampered((copy) => {
      rewrite(copy, 'files.jsonl', (text) =>
        text
          .split('\n')
          .map((line) =>
            line.includes(first)
              ? line
                  .replace(/"type":"[^"]*"/, '"type":"image/jpeg"')
                  .replace(/"info":".*?[^\\]"/, '"info":"{\\"kind\\":\\"jpeg\\",\\"width\\":3}"')
              : line,
          )
          .join('\n'),
      );
      writeFileSync(pathIn(join(copy, 'files'), first), html);
      writeFileSync(pathIn(join(copy, 'files'), second), JPEG);
    });
    await using server = await target();
    const { code, stdout, stderr } = await bring(server, from);
    expect([code, stderr]).toEqual([0, '']);
    expect((await runCommand(server, ['verify', '--files'])).code).toBe(0);
    await server.restart();
    const [text, photo] = await filesIn(server, JSON.parse(stdout).room.id);
    expect(text).toMatchObject({ key: first, type: 'application/octet-stream', size: html.length });
    expect(text).not.toHaveProperty('width');
    expect(photo).toMatchObject({ key: second, type: 'image/jpeg' });
    const kept = readFileSync(pathIn(filesOf(server), second));
    expect(kept.equals(readFileSync(pathIn(filesOf(source), second)))).toBe(true);
  });

  /** The message has a text with a link, and its second file is the picture of the preview. */
  const withPreview = (change = (preview: object): object => preview) =>
    tampered((copy) => {
      const image = { key: keys[1], width: 9999, height: 1, alt: 'a photo' };
      const preview = change({ url: 'https://site.example/', title: 'A page', image });
      rewrite(copy, 'messages.jsonl', (text) =>
        text.replace(/.*"files.*/, (line) => {
          const row = JSON.parse(line);
          const extra = JSON.parse(row.extra);
          const changed = { ...extra, files: extra.files.slice(0, 1), previews: [preview] };
          return JSON.stringify({
            ...row,
            content: 'see https://site.example/',
            extra: JSON.stringify(changed),
          });
        }),
      );
      rewrite(copy, 'files.jsonl', (text) =>
        text.replace(/.*\n(?=$)/, (line) => line.replace('"purpose":"message"', '"purpose":"link"')),
      );
    });

  it('the previews of a message come with their pictures, whose sizes are found anew', async () => {
    await using server = await target();
    const { code, stdout, stderr } = await bring(server, withPreview());
    expect([code, stderr]).toEqual([0, '']);
    expect((await runCommand(server, ['verify', '--files'])).code).toBe(0);
    await server.restart();
    const login = await logIn(server, ann.username);
    const history = await readHistory(server, login, JSON.parse(stdout).room.id);
    const found = history.find(({ previews }) => previews !== undefined);
    expect(found?.previews).toMatchObject([{ title: 'A page', image: { key: keys[1], alt: 'a photo' } }]);
    expect(found?.previews?.[0]?.image?.width).toBeLessThan(9999);
  });

  it.each<[string, (preview: object) => object]>([
    ['of a link that the text does not have', (preview) => ({ ...preview, url: 'https://other.example/' })],
    ['of a scheme that is no link', (preview) => ({ ...preview, url: 'javascript:alert(1)' })],
    ['with a text that turns the direction', (preview) => ({ ...preview, title: 'a\u202eb' })],
    ['with a text that is too long', (preview) => ({ ...preview, description: 'x'.repeat(301) })],
  ])('a preview %s: the import is refused', async (_, change) => {
    await using server = await target();
    const { code, stderr } = await bring(server, withPreview(change));
    const { error } = JSON.parse(stderr) as { error: string };
    expect([code, error]).toEqual([1, expect.stringContaining('previews that the message cannot have')]);
    expect(countOf(filesOf(server))).toBe(0);
  });

  it.each<[string, (copy: string) => void, RegExp]>([
    [
      'a message with a file that is not there',
      (copy) => rewrite(copy, 'files.jsonl', (text) => text.split('\n').slice(1).join('\n')),
      /^messages\.jsonl, line \d+: "extra" names the file \S+, and files\.jsonl does not have it for this message\.$/,
    ],
    [
      'a file whose bytes are not there',
      (copy) =>
        rewrite(
          copy,
          'files.jsonl',
          (text) => text + text.split('\n')[0]?.replace(keys[0] ?? '', 'A'.repeat(22)),
        ),
      /^files\.jsonl, line 3: the export does not have its bytes\.$/,
    ],
    [
      'a file that its message does not name',
      (copy) => {
        const other = 'B'.repeat(22);
        rewrite(copy, 'files.jsonl', (text) => text + text.split('\n')[0]?.replace(keys[0] ?? '', other));
        mkdirSync(join(copy, 'files', 'BB', 'BB'), { recursive: true });
        writeFileSync(pathIn(join(copy, 'files'), other), 'x');
      },
      /^files\.jsonl, line 3: "extra" of its message does not name it\.$/,
    ],
    [
      'a file twice',
      (copy) => rewrite(copy, 'files.jsonl', (text) => text + text.split('\n')[0]),
      /^files\.jsonl, line 3: "key" is that of an earlier line\.$/,
    ],
    [
      'a key that leads elsewhere',
      (copy) => rewrite(copy, 'files.jsonl', (text) => text.replace(keys[0] ?? '', '../../../../../../etc')),
      /^files\.jsonl, line 1: "key" is not allowed/,
    ],
    [
      'a name that leads elsewhere',
      (copy) => rewrite(copy, 'files.jsonl', (text) => text.replace('a.bin', '../a.bin')),
      /^files\.jsonl, line 1: "name" is no name of a file\.$/,
    ],
    [
      'a file of another message',
      (copy) => rewrite(copy, 'files.jsonl', (text) => text.replace(/"message_id":\d+/, '"message_id":999')),
      /^messages\.jsonl, line \d+: "extra" names the file/,
    ],
    [
      'bytes that are missing',
      (copy) => rmSync(pathIn(join(copy, 'files'), keys[1] ?? '')),
      /^files\.jsonl, line 2: the export does not have its bytes\.$/,
    ],
  ])('%s: the import is refused, and leaves no bytes', async (_, change, sentence) => {
    await using server = await target();
    const { code, stderr } = await bring(server, tampered(change));
    const { error } = JSON.parse(stderr) as { error: string };
    expect([code, error]).toEqual([1, expect.stringMatching(sentence)]);
    expect(countOf(filesOf(server))).toBe(0);
  });

  it('a dry run leaves no bytes either', async () => {
    await using server = await target();
    expect((await bring(server, room, '--dry-run')).code).toBe(0);
    expect(countOf(filesOf(server))).toBe(0);
  });

  it('without their bytes they come as names that cannot be opened', async () => {
    const to = join(newFolder(), 'room');
    const { room_id: id } = manifestOf(room) as unknown as { room_id: number };
    const made = await runCommand(source, ['export', '--room', String(id), '--to', to, '--without-files']);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Uploaded files are not in it.')]);
    await using server = await target();
    const { code, stdout } = await bring(server, to);
    expect(code).toBe(0);
    expect((await runCommand(server, ['verify', '--files'])).code).toBe(0);
    await server.restart();
    expect(await filesIn(server, JSON.parse(stdout).room.id)).toMatchObject([
      { key: keys[0], name: 'a.bin', state: 'refused', reason: 'not_checked' },
      { key: keys[1], state: 'refused', reason: 'not_checked' },
    ]);
  });

  it('a file that was refused keeps its reason, and one that nobody knows is none', async () => {
    const from = tampered((copy) =>
      rewrite(copy, 'files.jsonl', (text) => {
        const rows = text.split('\n').filter((line) => line !== '');
        const reasons = ['malware', 'a virus'];
        const refused = rows.map((line, at) => ({
          ...JSON.parse(line),
          ...{ state: 'refused', sha256: null, size: 0, info: JSON.stringify({ reason: reasons[at] }) },
        }));
        return `${refused.map((row) => JSON.stringify(row)).join('\n')}\n`;
      }),
    );
    await using server = await target();
    const { code, stdout } = await bring(server, from);
    expect(code).toBe(0);
    await server.restart();
    expect(await filesIn(server, JSON.parse(stdout).room.id)).toMatchObject([
      { state: 'refused', reason: 'malware' },
      { state: 'refused', reason: 'not_checked' },
    ]);
  });

  it('an export from before files is taken', async () => {
    const { id } = await createRoom(source, ann, 'Words');
    const from = await exportRoom(source, id);
    const { files } = manifestOf(from);
    const { 'files.jsonl': _, ...others } = files;
    rmSync(join(from, 'files.jsonl'));
    changeManifest(from, { files: others, bytes: undefined });
    await using server = await target();
    const { code, stderr } = await bring(server, from);
    expect([code, stderr]).toEqual([0, '']);
  });
});

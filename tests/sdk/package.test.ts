import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installSdk, type Project, ROOT, run } from './project.ts';

let project: Project;
beforeAll(async () => {
  project = await installSdk();
});
afterAll(() => project[Symbol.asyncDispose]());

test('the package installs without dependencies and takes less than 1 MB', async () => {
  const installed = (await readdir(join(project.folder, 'node_modules'))).filter(
    (name) => !name.startsWith('.'),
  );
  expect(installed).toEqual(['roomful-client']);
  expect(project.bytes).toBeLessThan(1_000_000);
});

test('Node imports it, with nothing else installed', async () => {
  const script = `
    import * as sdk from 'roomful-client';
    const chat = new sdk.ChatClient({ url: 'http://localhost', WebSocket: class {} });
    console.log(Object.keys(sdk).sort().join(' '), chat.user);
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project.folder,
  });
  expect(stdout.trim()).toBe(
    'ApiError Changes ChatClient OTHER_DATABASE ROOM_HUES ROOM_HUE_NAMES RoomThread STORAGE_KEYS Uploads adminApi browserOptions browserSignals browserStorage changeKey doorApi emojiApi filePath filesApi findQuoted hueOf indexOfSeq indexedDbChanges indexedDbOutbox indexedDbUploads isListCurrent isLive lastSeq memoryChanges memoryOutbox memoryStorage memoryUploads messagesApi moderationApi notificationsApi peopleApi roomsApi roomsSnapshotOf searchApi snapshotOf systemClock threadsApi toAttached withChanges null',
  );
});

test('it contains its types, its manual, the protocol and the licence, and no tests', () => {
  for (const path of [
    'dist/client/index.js',
    'dist/client/index.d.ts',
    'PROTOCOL.md',
    'README.md',
    'LICENSE',
  ]) {
    expect(project.files).toContain(path);
  }
  expect(
    project.files.filter((path) => /test|contract|manual-clock|tsbuildinfo|frontend|server/.test(path)),
  ).toEqual([]);
});

test('none of its files mentions zod', async () => {
  const code = project.files.filter((path) => path.startsWith('dist/'));
  const at = (path: string) => join(project.folder, 'node_modules', 'roomful-client', path);
  const texts = await Promise.all(code.map((path) => readFile(at(path), 'utf8')));
  expect(code.filter((_path, index) => texts[index]?.includes("from 'zod'"))).toEqual([]);
});

test('its types compile in a project without the types of zod and of a browser', async () => {
  for (const name of ['undici-types', '@types'])
    await symlink(join(ROOT, 'node_modules', name), join(project.folder, 'node_modules', name));
  await writeFile(
    join(project.folder, 'bot.ts'),
    `
    import { ChatClient, type Message, type RoomState } from 'roomful-client';
    const room = new ChatClient({ url: 'http://localhost' }).enter(1);
    room.on('message', ({ seq, cid }: Message) => console.log(seq + 1, cid?.length));
    room.on('state', ({ users }: RoomState) => console.log(users.map(({ username }) => username)));
    const sent = await room.send('hello');
    if (sent.outcome === 'stored') console.log(sent.seq);
    // @ts-expect-error There is no such event.
    room.on('nothing', () => {});
    // @ts-expect-error Not every outcome has a seq.
    console.log(sent.seq);
    // @ts-expect-error A message has no such field.
    room.on('message', ({ text }) => console.log(text));
  `,
  );
  const options =
    '--noEmit --strict --target es2023 --lib es2023 --types node --module nodenext bot.ts'.split(' ');
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [tsc, ...options], { cwd: project.folder });
});

test('docs/SDK.md has the signatures of the source: run node scripts/sdk-signatures.mjs', async () => {
  const script = `
    import { page } from '${join(ROOT, 'scripts', 'sdk-signatures.mjs')}';
    const { text, wanted } = await page();
    console.log(text === wanted);
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  expect(stdout.trim()).toBe('true');
});

test('docs/SDK.md has each declaration to its end, all members of a union included', async () => {
  const text = await readFile(join(ROOT, 'docs', 'SDK.md'), 'utf8');
  const blocks = [...text.matchAll(/^### (\w+)\n\n```ts\n([\s\S]*?)\n```$/gm)];
  expect(blocks.length).toBeGreaterThan(40);
  const cut = blocks.filter(([, , code = '']) => {
    const [, kind = ''] = /^(class|interface|type|const|function) /m.exec(code) ?? [];
    return !code.endsWith(['class', 'interface'].includes(kind) ? '\n}' : ';');
  });
  expect(cut.map(([, name]) => name)).toEqual([]);
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

let folder: string;
let files: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-pack-'));
  // What is compiled is packed as it is; `npm pack` by hand compiles first.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  await mkdir(join(folder, 'node_modules'));
  await run('tar', ['-xzf', packed.filename], { cwd: folder });
  await run('mv', ['package', 'node_modules/roomful'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

test('npm pack gives a package whose roomful/client Node imports, with nothing else installed', async () => {
  const script = `
    import * as sdk from 'roomful/client';
    const chat = new sdk.ChatClient({ url: 'http://localhost', WebSocket: class {} });
    console.log(Object.keys(sdk).sort().join(' '), chat.user);
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(stdout.trim()).toBe(
    'ApiError ChatClient STORAGE_KEYS browserOptions browserStorage indexOfSeq indexedDbOutbox isLive lastSeq memoryOutbox memoryStorage snapshotOf null',
  );
});

test('it has the types, the page about the SDK and the licence, and no tests', () => {
  for (const path of [
    'dist/client/index.js',
    'dist/client/index.d.ts',
    'docs/PROTOCOL.md',
    'docs/SDK.md',
    'README.md',
    'LICENSE',
  ]) {
    expect(files).toContain(path);
  }
  expect(files.filter((path) => /test|contract|manual-clock|tsbuildinfo|frontend|server/.test(path))).toEqual(
    [],
  );
});

test('its types hold in a project of somebody else', async () => {
  for (const name of ['zod', 'undici-types', '@types'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(folder, 'bot.ts'),
    `
    import { ChatClient, type Message, type RoomState } from 'roomful/client';
    const room = new ChatClient({ url: 'http://localhost' }).enter(1);
    room.on('message', ({ seq, cid }: Message) => console.log(seq + 1, cid?.length));
    room.on('state', ({ users }: RoomState) => console.log(users.map(({ username }) => username)));
    const sent = await room.send('hello');
    if (sent.outcome === 'stored') console.log(sent.seq);
    // @ts-expect-error There is no such event.
    room.on('nothing', () => {});
    // @ts-expect-error Not every outcome has a seq.
    console.log(sent.seq);
  `,
  );
  // Without the types of a browser.
  const options =
    '--noEmit --strict --target es2023 --lib es2023 --types node --module nodenext bot.ts'.split(' ');
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [tsc, ...options], { cwd: folder });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, logIn, signUp } from '../support/users.ts';
import { closeClients, ear, isOpen, newClient } from './chat.ts';
import { installSdk, type Project, ROOT } from './project.ts';

let project: Project;
let server: ServerProcess;
let source: string;

beforeAll(async () => {
  [project, server] = await Promise.all([installSdk(), ServerProcess.start()]);
  await symlink(join(ROOT, 'node_modules', 'ws'), join(project.folder, 'node_modules', 'ws'));
  // The first block of JavaScript in docs/SDK.md.
  const page = await readFile(join(ROOT, 'docs', 'SDK.md'), 'utf8');
  source = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  await writeFile(join(project.folder, 'bot.mjs'), source);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

/** Runs the bot with these variables. */
function start(variables: Readonly<Record<string, string>>, stderr: 'inherit' | 'pipe' = 'inherit') {
  return spawn(process.execPath, ['bot.mjs'], {
    cwd: project.folder,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'inherit', stderr],
  });
}

test('the bot of docs/SDK.md has at most 10 lines and replies, also after the server was killed', async () => {
  expect(source.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);

  const bot = await signUp(server);
  const ann = await signUp(server);
  const { id } = await createRoom(server, ann);
  const process_ = start({
    ROOMFUL_URL: `${server.url}/`,
    BOT_NAME: bot.username,
    BOT_PASSWORD: bot.password,
    ROOM_ID: String(id),
  });
  const exited = once(process_, 'exit');
  try {
    const chat = newClient(server);
    await chat.signIn(ann.username, ann.password);
    const room = chat.enter(id);
    const { heard, hears } = ear(room);
    await isOpen(room);
    while (room.state.online !== 2) await new Promise((resolve) => room.on('presence', resolve));
    await room.send('!hello');
    await hears(2);
    await server.kill();
    await server.restart();
    await room.send('!hello');
    await hears(4);
    expect(heard).toEqual(
      Array(2)
        .fill(['!hello', `Hello, ${ann.username}!`])
        .flat(),
    );
    await logIn(server, bot.username);
  } finally {
    closeClients();
    process_.kill();
    await exited;
  }
});

test.each([
  ['ROOM_ID is not set', { ROOM_ID: undefined }, 'roomId must be a positive integer; it is NaN'],
  [
    'the room does not exist',
    { ROOM_ID: '987654321' },
    'The connection to room 987654321 has ended: room_gone',
  ],
  ['ROOMFUL_URL is not set', { ROOMFUL_URL: undefined }, "url must be the server's address"],
  ['ROOMFUL_URL has no scheme', { ROOMFUL_URL: 'localhost:8080' }, 'url must start with http:// or https://'],
  ['no server responds', { ROOMFUL_URL: 'http://127.0.0.1:9' }, 'no response'],
  ['BOT_PASSWORD is not set', { BOT_PASSWORD: undefined }, 'password must be text; it is undefined'],
  ['the password is wrong', { BOT_PASSWORD: 'wrong horse' }, 'invalid credentials'],
])('it says so and exits with code 1 when %s', async (_title, change, message) => {
  const bot = await signUp(server);
  const right = { ROOMFUL_URL: server.url, BOT_NAME: bot.username, BOT_PASSWORD: bot.password, ROOM_ID: '1' };
  const variables = Object.entries({ ...right, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const process_ = start(Object.fromEntries(variables), 'pipe');
  let said = '';
  process_.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(process_, 'close');
  expect(said).toContain(message);
  expect(code).toBe(1);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, logIn, signUp } from '../support/users.ts';
import { closeClients, ear, isOpen, newClient } from './chat.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The first block of JavaScript in the SDK's page, as it stands there. */
async function example(): Promise<string> {
  const page = await readFile(join(ROOT, 'docs', 'SDK.md'), 'utf8');
  return /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
}

/** A project that has installed the package: what its `exports` name is what is found. */
async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-bot-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules', 'roomful'));
  await symlink(join(ROOT, 'node_modules', 'ws'), join(folder, 'node_modules', 'ws'));
  return folder;
}

test('the bot of docs/SDK.md has 10 lines and answers, also after the server was killed', async () => {
  const source = await example();
  expect(source.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);

  const [server, folder] = await Promise.all([ServerProcess.start(), project()]);
  await using _server = server;
  const bot = await signUp(server);
  const ann = await signUp(server);
  const { id } = await createRoom(server, ann);
  await writeFile(join(folder, 'bot.mjs'), source);
  const process_ = spawn(process.execPath, ['bot.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ROOMFUL_URL: server.url,
      BOT_NAME: bot.username,
      BOT_PASSWORD: bot.password,
      ROOM_ID: String(id),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
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
    // A further login tells that the bot's own session is not the only one.
    await logIn(server, bot.username);
  } finally {
    closeClients();
    process_.kill();
    await exited;
    await rm(folder, { recursive: true });
  }
});

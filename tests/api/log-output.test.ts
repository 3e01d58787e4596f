import { closeSync, constants, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LogOutput } from '../../server/platform/log-output.ts';
import { SmallDisk, whyNoSmallDisk } from '../faults/storage-small-disk.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { NamedPipe } from '../support/named-pipe.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

const STOPPED = { code: 0, signal: null };

/** A debug server with standard error redirected, e.g. `>file`. */
function startWithStderr(redirection: string): Promise<ServerProcess> {
  const under = ['sh', '-c', `exec "$0" "$@" 2${redirection}`];
  return ServerProcess.start({ env: { LOG_LEVEL: 'debug' }, under });
}

/** A message that goes to the disk and comes back: the whole service works. */
async function chat(server: ServerProcess): Promise<void> {
  const ann = await signUp(server);
  const room = await createRoom(server, ann);
  const client = await ChatClient.enter(server, ann, room.id);
  client.say('hello');
  await client.waitForCount('message', 1);
  await client.close();
}

describe('a log that cannot be written neither blocks the server nor ends it', () => {
  test('at debug, with a pipe without a reader: requests, messages and SIGTERM work', async () => {
    await using pipe = await NamedPipe.make();
    await using server = await startWithStderr(`>${pipe.path}`);
    // About 120 KB of lines, for a pipe of 64.
    for (let count = 0; count < 700; count++) expect((await send(server, '/healthz')).status).toBe(200);
    await chat(server);
    expect(await server.stop()).toEqual(STOPPED);
  });

  test('a pipe whose reader is gone: the server goes on', async () => {
    await using pipe = await NamedPipe.make();
    await using server = await startWithStderr(`>${pipe.path}`);
    await pipe.close();
    await chat(server);
    expect(await server.stop()).toEqual(STOPPED);
  });

  test('a standard error that is closed: the server starts, serves and stops', async () => {
    await using server = await startWithStderr('>&-');
    await chat(server);
    expect(await server.stop()).toEqual(STOPPED);
  });
});

test('lines beyond the limit are dropped; when the pipe is read, the rest comes in order, with a count', async () => {
  await using pipe = await NamedPipe.make();
  const fd = openSync(pipe.path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    const output = new LogOutput(fd);
    const filler = 'x'.repeat(1000);
    for (let line = 0; line < 2000; line++) output.write(`${JSON.stringify({ line, filler })}\n`);
    let told = '';
    await eventually('the number of dropped lines', async () => {
      told += await pipe.read();
      return told.includes('"dropped"') || undefined;
    });
    output.write('{"line":"later"}\n');
    told += await pipe.read();
    const logs = told
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { line?: unknown; dropped?: number; level?: number });
    const kept = logs.length - 2;
    expect(kept).toBeGreaterThan(1000);
    expect(logs.slice(0, kept).map(({ line }) => line)).toEqual(Array.from({ length: kept }, (_, i) => i));
    expect(logs.slice(kept)).toMatchObject([{ level: 40, dropped: 2000 - kept }, { line: 'later' }]);
  } finally {
    closeSync(fd);
  }
});

const whyNot = await whyNoSmallDisk();
if (whyNot !== undefined) console.info(`skipped: the log on a full disk: ${whyNot}`);

test.skipIf(whyNot !== undefined)(
  'a full disk under the log: the server starts, serves and stops, and with space the log is written',
  async () => {
    const disk = await SmallDisk.mount(1);
    try {
      await disk.fill(0);
      const file = join(disk.path, 'log');
      await using server = await startWithStderr(`>>${file}`);
      await chat(server);
      // An upgrade and a request that are refused: both are logged.
      expect((await send(server, '/ws')).status).toBe(426);
      expect((await send(server, '/api/v1/rooms')).status).toBe(401);
      expect(await readFile(file, 'utf8')).toBe('');
      await disk.free();
      await eventually('the log', async () => {
        return (await readFile(file, 'utf8')).includes('"msg":"ready"') || undefined;
      });
      expect(await server.stop()).toEqual(STOPPED);
    } finally {
      await disk.unmount();
    }
  },
);

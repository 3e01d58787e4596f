/** Files that clamd looks at first (server/features/files/clamd.ts), with the real one and a signature of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { whyNotInstalled } from '../support/installed.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { checkedUpload, newUpload, patchUpload, readUpload } from '../support/uploads.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';

/** The test string of EICAR, in two halves: a scanner of this machine may not like this file otherwise. */
const HARMFUL = Buffer.from(
  `${'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR'}${'-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'}`,
);
const LIMIT_MIB = 1;

describe.skipIf(whyNotInstalled('clamd', 'clamav-daemon') !== undefined)('clamd', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let server: ServerProcess;
  let ann: Login;
  let roomId: number;

  async function startClamd(): Promise<void> {
    const socket = join(folder, 'clamd.ctl');
    rmSync(socket, { force: true });
    const args = [
      '--pdeathsig',
      'KILL',
      'clamd',
      '--foreground',
      '--config-file',
      join(folder, 'clamd.conf'),
    ];
    child = spawn('setpriv', args, { stdio: 'ignore' });
    await eventually('clamd listens', () => (existsSync(socket) ? true : undefined), 60_000);
  }

  async function stopClamd(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roomful-clamd-'));
    const hash = createHash('md5').update(HARMFUL).digest('hex');
    writeFileSync(join(folder, 'tests.hdb'), `${hash}:${HARMFUL.length}:Tests.Harmful\n`);
    writeFileSync(
      join(folder, 'clamd.conf'),
      [
        `DatabaseDirectory ${folder}`,
        `LocalSocket ${join(folder, 'clamd.ctl')}`,
        `TemporaryDirectory ${folder}`,
        `StreamMaxLength ${LIMIT_MIB}M`,
        'Foreground yes',
        '',
      ].join('\n'),
    );
    await startClamd();
    server = await ServerProcess.start({ env: { CLAMD_URL: `unix:${join(folder, 'clamd.ctl')}` } });
    ann = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
  });
  afterAll(async () => {
    await server?.dispose();
    await stopClamd();
    rmSync(folder, { recursive: true, force: true });
  });

  async function upload(bytes: Uint8Array): Promise<string> {
    const key = await newUpload(server, ann, roomId, { size: bytes.length, name: 'a.txt' });
    expect((await patchUpload(server, ann, key, 0, bytes)).status).toBe(204);
    return key;
  }

  it('what it knows is refused, and its bytes are gone; another file is ready', async () => {
    const key = await upload(HARMFUL);
    expect(await checkedUpload(server, ann, key)).toMatchObject({ state: 'refused', reason: 'malware' });
    const at = join(server.dataDir, 'data', 'files', key.slice(0, 2), key.slice(2, 4), key);
    await eventually('no bytes', () => (existsSync(at) ? undefined : true));
    const [line] = await server.logged(({ found }) => found !== undefined);
    expect(line).toMatchObject({ file: key, found: expect.stringContaining('Tests.Harmful') });
    const harmless = await upload(Buffer.from('harmless'));
    expect(await checkedUpload(server, ann, harmless)).toMatchObject({ state: 'ready' });
  });

  it('a file above its limit is refused as not checked, and the log names the setting', async () => {
    const key = await upload(Buffer.alloc(LIMIT_MIB * 3 * 1024 * 1024, 'a'));
    expect(await checkedUpload(server, ann, key)).toMatchObject({ state: 'refused', reason: 'not_checked' });
    await server.logged(({ msg, file }) => file === key && String(msg).includes('StreamMaxLength'));
  });

  it('while it is away a file waits, and is never ready unchecked; its message says in the end why it is gone', async () => {
    await stopClamd();
    const key = await upload(HARMFUL);
    await server.logged(({ msg, file }) => file === key && msg === 'a file could not be checked');
    expect(await readUpload(server, ann, key)).toMatchObject({ state: 'checking' });
    const line = await RoomLine.enter(server, ann, roomId);
    line.send({ type: 'message', room_id: roomId, content: '', cid: key, files: [key] });
    const sent = await line.waitFor('message', ({ files }) => files?.[0]?.key === key);
    expect(sent.files).toMatchObject([{ state: 'checking' }]);
    await startClamd();
    const refused = { key, state: 'refused', reason: 'malware' };
    const isRefused = ({ files }: { files?: { state?: string | undefined }[] | undefined }) =>
      files?.[0]?.state === 'refused';
    const stored = await eventually(
      'it is refused',
      async () => (await readHistory(server, ann, roomId)).find(isRefused),
      60_000,
    );
    expect(stored.files).toMatchObject([refused]);
    expect((await line.waitFor('message', isRefused)).files).toEqual(stored.files);
    await line.close();
  });
});

/** Files that clamd looks at first (server/features/files/clamd.ts), with the real one and a signature of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClamdProcess, HARMFUL } from '../support/clamd.ts';
import { eventually } from '../support/eventually.ts';
import { whyNotInstalled } from '../support/installed.ts';
import { RoomLine } from '../support/room-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { checkedUpload, newUpload, patchUpload, readUpload } from '../support/uploads.ts';
import { createRoom, type Login, readHistory, signUp } from '../support/users.ts';

const LIMIT_MIB = 1;

describe.skipIf(whyNotInstalled('clamd', 'clamav-daemon') !== undefined)('clamd', () => {
  const clamd = new ClamdProcess(LIMIT_MIB);
  let server: ServerProcess;
  let ann: Login;
  let roomId: number;

  beforeAll(async () => {
    await clamd.start();
    server = await ServerProcess.start({ env: { CLAMD_URL: clamd.url } });
    ann = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
  });
  afterAll(async () => {
    await server?.dispose();
    await clamd.dispose();
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
    await clamd.stop();
    const key = await upload(HARMFUL);
    await server.logged(({ msg, file }) => file === key && msg === 'a file could not be checked');
    expect(await readUpload(server, ann, key)).toMatchObject({ state: 'checking' });
    const line = await RoomLine.enter(server, ann, roomId);
    line.send({ type: 'message', room_id: roomId, content: '', cid: key, files: [key] });
    const sent = await line.waitFor('message', ({ files }) => files?.[0]?.key === key);
    expect(sent.files).toMatchObject([{ state: 'checking' }]);
    await clamd.start();
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

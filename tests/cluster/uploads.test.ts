/** Uploads to several processes that share the folder of files. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster, whyNoCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { beginReading, expectCut, filesSent } from '../support/open-streams.ts';
import { sendOneFile } from '../support/sent-files.ts';
import { checkedUpload, newUpload, patchUpload } from '../support/uploads.ts';
import { createRoom, signUp } from '../support/users.ts';

const PART = 300_000;

describe.skipIf(whyNoCluster() !== undefined)('an upload to several processes', () => {
  let folder: string;
  let cluster: Cluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roomful-files-'));
    cluster = await Cluster.start({ processes: 2, env: { FILES_DIR: folder } });
  });
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('what was checked stays, although another process still takes a part of it', async () => {
    const [one, other] = [cluster.process(0), cluster.process(1)];
    const ann = await signUp(one);
    const { id } = await createRoom(one, ann);
    const bytes = randomBytes(2 * PART);
    const key = await newUpload(one, ann, id, { size: bytes.length });
    const slow = httpRequest({
      ...{ host: '127.0.0.1', port: one.port, agent: false, method: 'PATCH', path: `/api/v1/uploads/${key}` },
      headers: {
        authorization: `Bearer ${ann.accessToken}`,
        'tus-resumable': '1.0.0',
        'upload-offset': 0,
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.length,
      },
    });
    const answer = new Promise<number | undefined>((resolve) => {
      slow.on('error', () => resolve(undefined));
      slow.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    // Node forgets the callback of a write when an early answer closes the socket.
    await Promise.race([answer, new Promise((resolve) => slow.write(bytes.subarray(0, PART), resolve))]);
    // It has opened the file by then, or does so later: both are to be harmless.
    await sleep(300);
    expect((await patchUpload(other, ann, key, 0, bytes)).status).toBe(204);
    const { state, sha256 } = await checkedUpload(other, ann, key);
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect([state, sha256]).toEqual(['ready', hash]);
    slow.end(Buffer.alloc(PART, 'another text'));
    expect(await answer).not.toBe(204);
    const stored = await readFile(join(folder, key.slice(0, 2), key.slice(2, 4), key));
    expect(createHash('sha256').update(stored).digest('hex')).toBe(hash);
  });

  it('what one process sends ends when another one deletes its message', async () => {
    const [one, other] = [cluster.process(0), cluster.process(1)];
    const ann = await signUp(one);
    const { id } = await createRoom(one, ann);
    // More than fits into the buffers of the connection.
    const bytes = new Uint8Array(32 * 1024 * 1024);
    const { path, messageId } = await sendOneFile(one, ann, id, { name: 'large', bytes });
    const response = await beginReading(one, ann, path);
    expect(await filesSent(one)).toBe(1);
    const deleting = `/api/v1/rooms/${id}/messages/${messageId}`;
    expect((await send(other, deleting, { method: 'DELETE', token: ann.accessToken })).status).toBeLessThan(
      300,
    );
    await eventually('the end of the stream', async () => (await filesSent(one)) === 0 || undefined);
    await expectCut(response);
  });
});

/** tus-js-client, unchanged, as another program of the protocol: its uploads survive cut connections and a kill. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Relay } from '../postgres/relay.ts';
import { expectRefusal } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { checkedUpload, newUpload, offsetOf } from '../support/uploads.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';

const CHUNK = 1024 * 1024;
const CUT_EVERY = 3 * CHUNK + 12_345;
/** Long enough for a server that starts again. */
const RETRIES = Array.from({ length: 600 }, () => 100);

let server: ServerProcess;
let relay: Relay;
let ann: Login;
let roomId: number;

beforeAll(async () => {
  server = await ServerProcess.start();
  relay = await Relay.start({ host: '127.0.0.1', port: server.port });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => {
  await relay?.[Symbol.asyncDispose]();
  await server?.dispose();
});

/** What `Upload` takes in Node; its types name only a part of it. */
type Input = ConstructorParameters<typeof Upload>[0];

interface Settings {
  uploadUrl?: string;
  onSent?(bytes: number, running: Upload): void;
}

/** An upload of the client, through the relay; resolves to its URL once the client says that all is there. */
function upload(input: unknown, { uploadUrl, onSent }: Settings = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const running = new Upload(input as Input, {
      endpoint: `http://127.0.0.1:${relay.port}/api/v1/uploads`,
      ...(uploadUrl !== undefined && { uploadUrl }),
      metadata: { filename: 'holiday.bin', filetype: 'application/x-test', room_id: String(roomId) },
      headers: { authorization: `Bearer ${ann.accessToken}` },
      chunkSize: CHUNK,
      retryDelays: RETRIES,
      onError: reject,
      onSuccess: () => resolve(running.url ?? ''),
      onProgress: (bytes) => onSent?.(bytes, running),
    });
    running.start();
  });
}

const keyOf = (url: string | null) => url?.split('/').at(-1) ?? '';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function expectArrived(url: string, bytes: Uint8Array): Promise<void> {
  expect(await checkedUpload(server, ann, keyOf(url))).toMatchObject({
    ...{ state: 'ready', name: 'holiday.bin', type: 'application/x-test' },
    ...{ size: bytes.length, sha256: sha256(bytes) },
  });
}

/** Cuts the connection now and then, by what has gone over it: in turns in a part, and at its answer. */
function cutNowAndThen(): { count: number } {
  const cuts = { count: 0 };
  let [passed, next] = [0, CUT_EVERY];
  relay.decide = (chunk) => {
    passed += chunk.length;
    if (passed < next) return 'pass';
    next += CUT_EVERY;
    return cuts.count++ % 2 === 0 ? 'lose' : 'lose reply';
  };
  return cuts;
}

describe('tus-js-client', () => {
  it('uploads what it is given, from memory and from a stream', async () => {
    const bytes = randomBytes(2 * CHUNK + 1);
    await expectArrived(await upload(bytes), bytes);
    const folder = await mkdtemp(join(tmpdir(), 'roomful-tus-'));
    try {
      await writeFile(join(folder, 'a'), bytes);
      await expectArrived(await upload(createReadStream(join(folder, 'a'))), bytes);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('an empty file is a file', async () => {
    await expectArrived(await upload(Buffer.alloc(0)), Buffer.alloc(0));
  });

  it('the bytes are right although connections are cut in parts and at their answers', async () => {
    const bytes = randomBytes(30 * CHUNK + 7);
    const cuts = cutNowAndThen();
    await expectArrived(await upload(bytes), bytes);
    relay.decide = () => 'pass';
    expect(cuts.count).toBeGreaterThanOrEqual(8);
    expect(relay.cutReplies).toBeGreaterThan(0);
  });

  it('the bytes are right although the server was killed in the middle, and started again', async () => {
    const bytes = randomBytes(20 * CHUNK);
    const kills = [5 * CHUNK + 1, 11 * CHUNK];
    let restarting: Promise<void> | undefined;
    const url = await upload(bytes, {
      onSent: (sent) => {
        const [next = Number.POSITIVE_INFINITY] = kills;
        if (sent < next) return;
        kills.shift();
        restarting = server.kill().then(() => server.restart());
      },
    });
    await restarting;
    expect(kills).toEqual([]);
    ann = await logIn(server, ann.username);
    await expectArrived(url, bytes);
  });

  it('another one goes on where the first was stopped', async () => {
    const bytes = randomBytes(4 * CHUNK);
    const key = await newUpload(server, ann, roomId, { size: bytes.length });
    const uploadUrl = `http://127.0.0.1:${relay.port}/api/v1/uploads/${key}`;
    await new Promise<void>((resolve, reject) => {
      upload(bytes, {
        uploadUrl,
        onSent: (sent, running) => {
          if (sent > 2 * CHUNK) void running.abort().then(resolve, reject);
        },
      }).catch(reject);
    });
    expect(await offsetOf(server, ann, key)).toBeGreaterThanOrEqual(2 * CHUNK);
    await upload(bytes, { uploadUrl });
    expect(await checkedUpload(server, ann, key)).toMatchObject({ state: 'ready', sha256: sha256(bytes) });
  });

  it('takes back what it has begun', async () => {
    const key = await new Promise<string>((resolve, reject) => {
      upload(randomBytes(4 * CHUNK), {
        onSent: (sent, running) => {
          if (sent > CHUNK) running.abort(true).then(() => resolve(keyOf(running.url)), reject);
        },
      }).catch(reject);
    });
    const reply = await send(server, `/api/v1/uploads/${key}`, { token: ann.accessToken });
    expectRefusal(reply, 404, 'file not found');
  });
});

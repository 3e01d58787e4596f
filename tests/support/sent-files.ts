/** Messages with files, and their bytes, for tests. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { filePath } from '../../protocol/file-names.ts';
import { UPLOAD_CHUNK_MAX } from '../../protocol/limits.ts';
import type { Target } from './http.ts';
import { LineClient } from './line-client.ts';
import { checkedUpload, newUpload, patchUpload } from './uploads.ts';
import type { Login } from './users.ts';

export interface SentFile {
  key: string;
  name: string;
  path: string;
  messageId: number;
  roomId: number;
}

/** Uploads the files and posts them in one message. */
export async function sendFiles(
  target: Target,
  login: Login,
  roomId: number,
  files: readonly { name: string; bytes: Uint8Array; type?: string }[],
  content = '',
): Promise<SentFile[]> {
  const keys: string[] = [];
  for (const { name, bytes, type } of files) {
    const key = await newUpload(target, login, roomId, { size: bytes.length, name, ...(type && { type }) });
    for (let at = 0; at < bytes.length; at += UPLOAD_CHUNK_MAX) {
      const chunk = bytes.subarray(at, at + UPLOAD_CHUNK_MAX);
      const { status } = await patchUpload(target, login, key, at, chunk);
      assert.equal(status, 204);
    }
    await checkedUpload(target, login, key);
    keys.push(key);
  }
  const line = await LineClient.start(target, login);
  const cid = randomUUID();
  line.send({ type: 'message', room_id: roomId, content, cid, files: keys });
  const { id: messageId } = await line.waitFor('ack', (ack) => ack.cid === cid);
  await line.close();
  return files.map(({ name }, index) => {
    const key = keys[index] ?? '';
    return { key, name, path: filePath(key, name), messageId, roomId };
  });
}

export async function sendOneFile(
  target: Target,
  login: Login,
  roomId: number,
  file: { name: string; bytes: Uint8Array; type?: string },
): Promise<SentFile> {
  const [sent] = await sendFiles(target, login, roomId, [file]);
  assert(sent);
  return sent;
}

export interface Fetched {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Uint8Array;
  /** All bytes that were announced have come. */
  isWhole: boolean;
}

/** The bytes under a path, as they come. */
export async function fetchBytes(
  { port }: Target,
  path: string,
  { headers, method }: { headers?: OutgoingHttpHeaders; method?: string } = {},
): Promise<Fetched> {
  return await new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      ...(method && { method }),
      ...(headers && { headers }),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.once('close', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers },
          ...{ bytes: Buffer.concat(chunks), isWhole: response.complete },
        }),
      );
    });
    sent.end();
  });
}

export const bearer = ({ accessToken }: Login) => ({ authorization: `Bearer ${accessToken}` });

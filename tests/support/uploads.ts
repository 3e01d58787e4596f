/** Uploads for tests, request by request. */
import assert from 'node:assert/strict';
import { type UploadedFile, uploadedFile } from '../../protocol/rest/files.ts';
import { eventually } from './eventually.ts';
import { expectReply } from './expect-reply.ts';
import { type HttpReply, send, type Target } from './http.ts';
import type { Login } from './users.ts';

const TUS = { 'tus-resumable': '1.0.0' };

/** The value of `Upload-Metadata`. */
export function metadataOf(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export async function beginUpload(
  target: Target,
  login: Login,
  size: number | string,
  fields: Record<string, string>,
): Promise<HttpReply> {
  const headers = { ...TUS, 'upload-length': String(size), 'upload-metadata': metadataOf(fields) };
  return await send(target, '/api/v1/uploads', { method: 'POST', token: login.accessToken, headers });
}

/** A new upload to a room; returns its key. */
export async function newUpload(
  target: Target,
  login: Login,
  roomId: number,
  { size, ...fields }: { size: number } & Record<string, string | number>,
): Promise<string> {
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const reply = await beginUpload(target, login, size, {
    room_id: String(roomId),
    ...Object.fromEntries(texts),
  });
  const { key } = expectReply(reply, 201, uploadedFile);
  assert.equal(reply.headers.location, `/api/v1/uploads/${key}`);
  return key;
}

/** `bytes`: an array of chunks goes out without a length. */
export async function patchUpload(
  target: Target,
  login: Login,
  key: string,
  offset: number | string,
  bytes: Uint8Array | Uint8Array[],
): Promise<HttpReply> {
  const headers = {
    ...TUS,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  };
  return await send(target, `/api/v1/uploads/${key}`, {
    ...{ method: 'PATCH', token: login.accessToken },
    headers: Array.isArray(bytes) ? headers : { ...headers, 'content-length': bytes.length },
    body: bytes,
  });
}

/** The offset that `HEAD` answers with. */
export async function offsetOf(target: Target, login: Login, key: string): Promise<number> {
  const reply = await send(target, `/api/v1/uploads/${key}`, {
    ...{ method: 'HEAD', token: login.accessToken, headers: TUS },
  });
  assert.equal(reply.status, 200);
  return Number(reply.headers['upload-offset']);
}

export async function readUpload(target: Target, login: Login, key: string): Promise<UploadedFile> {
  const reply = await send(target, `/api/v1/uploads/${key}`, { token: login.accessToken });
  return expectReply(reply, 200, uploadedFile);
}

/** The file once its bytes have been looked at. */
export async function checkedUpload(
  target: Target,
  login: Login,
  key: string,
  withinMs?: number,
): Promise<UploadedFile> {
  const look = async () => {
    const file = await readUpload(target, login, key);
    return file.state === 'ready' || file.state === 'refused' ? file : undefined;
  };
  return await eventually('a check', look, withinMs);
}

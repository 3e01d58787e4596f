import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../protocol/errors.ts';
import { PlaceError } from '../place-error.ts';
import { Client } from './client.ts';
import { Objects } from './objects.ts';

const ERROR = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>So it is.</Message></Error>`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('what a bucket answers', () => {
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Answers one request after the other with these, and the last one for ever. */
  async function answering(...answers: Answer[]): Promise<{ objects: Objects; asked: string[] }> {
    const asked: string[] = [];
    server = createServer(async (request, response) => {
      for await (const _ of request);
      asked.push(`${request.method} ${request.url}`);
      (answers.length > 1 ? answers.shift() : answers[0])?.(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/bucket`;
    const settings = { url, accessKeyId: 'id', secretAccessKey: 'secret', region: 'here', scratch: '' };
    return { objects: new Objects(new Client(settings)), asked };
  }

  const status =
    (code: number, text = ''): Answer =>
    (_, response) =>
      response.writeHead(code).end(text);
  const cut: Answer = (request) => request.socket.destroy();
  const body = { length: 4, open: () => [Buffer.from('text')] };
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );

  it('with 500, 503 and a cut connection: it is asked again, and each time with all bytes', async () => {
    const { objects, asked } = await answering(status(500), cut, status(503, ERROR('SlowDown')), status(200));
    await objects.put('files/key', body);
    expect(asked).toEqual(Array(4).fill('PUT /bucket/files/key'));
  });

  it('with 200 and an error: it did not complete, and is asked again', async () => {
    const done = '<CompleteMultipartUploadResult/>';
    const { objects, asked } = await answering(status(200, ERROR('InternalError')), status(200, done));
    await objects.completeUpload('sent/key', 'id', ['"tag"']);
    expect(asked).toHaveLength(2);
    const { objects: others } = await answering(status(200, ERROR('InvalidPart')));
    expect(await refusalOf(others.completeUpload('sent/key', 'id', ['"tag"']))).toBeInstanceOf(PlaceError);
  });

  it.each([
    [507, ''],
    [403, ERROR('QuotaExceeded')],
    [400, ERROR('XMinioAdminBucketQuotaExceeded')],
  ])('with %d %s: there is no space, and it is not asked again', async (code, text) => {
    const { objects, asked } = await answering(status(code, text));
    expect(await refusalOf(objects.put('files/key', body))).toMatchObject({ code: 'no_space' });
    expect(asked).toHaveLength(1);
  });

  it('with 500 for ever: it is away, and the operator reads why', async () => {
    const { objects } = await answering(status(500, ERROR('InternalError')));
    const error = await refusalOf(objects.put('files/key', body));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'service_unavailable' });
    expect(String((error as AppError).cause)).toMatch(
      /S3 at 127.0.0.1:\d+ refuses PUT files\/key with 500: InternalError, So it is\./,
    );
  });

  it('with 403 and nothing else: the sentence names the settings', async () => {
    const { objects } = await answering(status(403));
    expect(String(await refusalOf(objects.head('files/key')))).toContain('Check the keys and S3_REGION.');
  });

  it('with the whole object where a part was asked for: that is refused', async () => {
    const { objects } = await answering(status(200, 'the whole object'));
    expect(await refusalOf(objects.get('files/key', { from: 4, to: 5 }))).toBeInstanceOf(PlaceError);
  });

  it('with bytes that end too early: the reader learns it', async () => {
    const { objects } = await answering((_, response) => {
      response.writeHead(206, { 'content-length': 100 });
      response.write('some');
      setImmediate(() => response.destroy());
    });
    const read = async () => {
      for await (const _ of (await objects.get('files/key', { from: 0, to: 100 })) ?? []);
    };
    await expect(read()).rejects.toThrow();
  });
});

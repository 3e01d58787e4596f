/** What Roomful asks of a bucket. Names of objects are those of s3.ts, which need no encoding. */
import type { IncomingMessage } from 'node:http';
import type { Client } from './client.ts';
import { type Body, bytesOf } from './exchange.ts';
import { elementsIn, textIn } from './xml.ts';

export interface ObjectEntry {
  name: string;
  size: number;
  changedAt: number;
}

/** An upload in parts that was begun, and neither completed nor given up. */
export interface OpenUpload {
  name: string;
  id: string;
  begunAt: number;
}

export class Objects {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async put(name: string, body: Body): Promise<void> {
    await this.#client.request({ method: 'PUT', name, body }, [200], drain);
  }

  async copy(name: string, from: string): Promise<void> {
    await this.#client.text({ method: 'PUT', name, headers: this.#from(from) });
  }

  /** Undefined: there is none. */
  async head(name: string): Promise<{ size: number } | undefined> {
    return await this.#client.request({ method: 'HEAD', name }, [200, 404], async (response) => {
      await drain(response);
      return response.statusCode === 404 ? undefined : { size: Number(response.headers['content-length']) };
    });
  }

  /** Its bytes, which come as they are read. Undefined: there is no such object. */
  async get(
    name: string,
    range: { from: number; to: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    const headers = { range: `bytes=${range.from}-${range.to - 1}` };
    return await this.#client.request({ method: 'GET', name, headers }, [206, 404], async (response) => {
      if (response.statusCode === 206) return bytesOf(response);
      await drain(response);
      return undefined;
    });
  }

  /** There may be none. */
  async delete(name: string): Promise<void> {
    await this.#client.request({ method: 'DELETE', name }, [200, 204, 404], drain);
  }

  async *list(prefix: string): AsyncGenerator<ObjectEntry, void> {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query = { 'list-type': '2', prefix, ...(token !== '' && { 'continuation-token': token }) };
      const xml: string = await this.#client.text({ method: 'GET', query });
      for (const entry of elementsIn(xml, 'Contents'))
        yield {
          name: textIn(entry, 'Key') ?? '',
          size: Number(textIn(entry, 'Size')),
          changedAt: Date.parse(textIn(entry, 'LastModified') ?? ''),
        };
      token = textIn(xml, 'IsTruncated') === 'true' ? textIn(xml, 'NextContinuationToken') : undefined;
    }
  }

  async beginUpload(name: string): Promise<string> {
    const xml = await this.#client.text({ method: 'POST', name, query: { uploads: '' } });
    const id = textIn(xml, 'UploadId');
    if (id === undefined) throw new Error('S3 gives no id for an upload in parts');
    return id;
  }

  /** Parts are counted from 1. Resolves with what `complete` needs. */
  async putPart(name: string, id: string, part: number, body: Body): Promise<string> {
    const request = { method: 'PUT' as const, name, query: partQuery(id, part), body };
    return await this.#client.request(request, [200], async (response) => {
      await drain(response);
      return String(response.headers.etag);
    });
  }

  async copyPart(
    name: string,
    id: string,
    part: number,
    { source, from, to }: { source: string; from: number; to: number },
  ): Promise<string> {
    const headers = { ...this.#from(source), 'x-amz-copy-source-range': `bytes=${from}-${to - 1}` };
    const xml = await this.#client.text({ method: 'PUT', name, query: partQuery(id, part), headers });
    return textIn(xml, 'ETag') ?? '';
  }

  async completeUpload(name: string, id: string, etags: readonly string[]): Promise<void> {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    );
    const body = textBody(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    await this.#client.text({ method: 'POST', name, query: { uploadId: id }, body });
  }

  async abortUpload(name: string, id: string): Promise<void> {
    await this.#client.request({ method: 'DELETE', name, query: { uploadId: id } }, [200, 204, 404], drain);
  }

  async *openUploads(prefix: string): AsyncGenerator<OpenUpload, void> {
    for (let next: Record<string, string> | undefined = {}; next !== undefined; ) {
      const query: Record<string, string> = { uploads: '', prefix, ...next };
      const xml: string = await this.#client.text({ method: 'GET', query });
      for (const entry of elementsIn(xml, 'Upload'))
        yield {
          name: textIn(entry, 'Key') ?? '',
          id: textIn(entry, 'UploadId') ?? '',
          begunAt: Date.parse(textIn(entry, 'Initiated') ?? ''),
        };
      const key = textIn(xml, 'NextKeyMarker');
      const isCut = textIn(xml, 'IsTruncated') === 'true' && key !== undefined && key !== '';
      next = isCut
        ? { 'key-marker': key, 'upload-id-marker': textIn(xml, 'NextUploadIdMarker') ?? '' }
        : undefined;
    }
  }

  /** By how much the clock of S3 is ahead of this machine's, in milliseconds. */
  async clockAhead(): Promise<number> {
    const query = { 'list-type': '2', 'max-keys': '1' };
    return await this.#client.request({ method: 'GET', query }, [200], async (response) => {
      await drain(response);
      return Date.parse(response.headers.date ?? '') - Date.now();
    });
  }

  #from(source: string): Record<string, string> {
    return { 'x-amz-copy-source': this.#client.sourceOf(source) };
  }
}

function partQuery(id: string, part: number): Record<string, string> {
  return { partNumber: String(part), uploadId: id };
}

function textBody(text: string): Body {
  const bytes = Buffer.from(text);
  return { length: bytes.length, open: () => [bytes] };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The connection is free for the next request then. */
async function drain(response: IncomingMessage): Promise<void> {
  for await (const _ of bytesOf(response));
}

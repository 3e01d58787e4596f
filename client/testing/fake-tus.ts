/** The uploads of a server, in memory, as requests reach them. Tests decide what fails. */
import { ApiError } from '../api/api-error.ts';
import type { Requests } from '../api/requests.ts';

interface Held {
  readonly size: number;
  readonly metadata: { readonly name?: string; readonly type?: string };
  bytes: Uint8Array;
}

type Sent = Parameters<Requests['send']>[0];

export class FakeTus {
  readonly uploads = new Map<string, Held>();
  readonly removed: string[] = [];
  /** Bytes that were sent, counted as often as they were. */
  received = 0;
  /** No request gets through. */
  isAway = false;
  /** The next parts are cut in their middle, so often. */
  cuts = 0;
  /** The refusal of each creation. */
  refusal: ApiError | null = null;
  /** Why the check refuses each file. */
  reason: string | null = null;
  #last = 0;

  readonly requests: Requests = {
    ask: async () => undefined as never,
    tell: async () => {},
    send: async (request) => await this.#answer(request),
  };

  /** Those that are no small pictures, by their names. */
  named(name: string): Held | undefined {
    return [...this.uploads.values()].find(({ metadata }) => metadata.name === name);
  }

  async #answer({ method, path, headers = {}, body, signal }: Sent): Promise<Response> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.isAway || signal?.aborted) throw new ApiError(0, 'no response');
    const key = path.split('/').at(-1) ?? '';
    if (method === 'POST') return this.#create(headers);
    if (method === 'GET') return Response.json(this.#file(key));
    const held = this.uploads.get(key);
    if (held === undefined) throw new ApiError(404, 'file not found');
    if (method === 'DELETE') {
      this.uploads.delete(key);
      this.removed.push(key);
      return new Response(null, { status: 204 });
    }
    if (body instanceof Blob) this.#append(held, headers, new Uint8Array(await body.arrayBuffer()));
    return new Response(null, { status: 204, headers: { 'Upload-Offset': String(held.bytes.length) } });
  }

  #create(headers: Readonly<Record<string, string>>): Response {
    if (this.refusal !== null) throw this.refusal;
    const key = `key${++this.#last}`;
    const pairs = (headers['Upload-Metadata'] ?? '').split(',').map((pair) => pair.split(' '));
    const metadata = Object.fromEntries(
      pairs.map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString()]),
    );
    this.uploads.set(key, { size: Number(headers['Upload-Length']), metadata, bytes: new Uint8Array() });
    return new Response(null, { status: 201, headers: { Location: `/api/v1/uploads/${key}` } });
  }

  #append(held: Held, headers: Readonly<Record<string, string>>, bytes: Uint8Array): void {
    if (Number(headers['Upload-Offset']) !== held.bytes.length)
      throw new ApiError(409, 'upload is at another offset');
    const isCut = this.cuts > 0 && this.cuts-- > 0;
    const arrived = isCut ? bytes.subarray(0, bytes.length >> 1) : bytes;
    this.received += arrived.length;
    held.bytes = new Uint8Array(Buffer.concat([held.bytes, arrived]));
    if (isCut) throw new ApiError(0, 'no response');
  }

  #file(key: string): unknown {
    const held = this.uploads.get(key);
    if (held === undefined) throw new ApiError(404, 'file not found');
    const { name, type } = held.metadata;
    if (this.reason !== null)
      return { key, name, type, size: 0, state: 'refused', reason: this.reason, width: 40, height: 30 };
    return { key, name, type, size: held.size, state: 'ready', width: 40, height: 30 };
  }
}

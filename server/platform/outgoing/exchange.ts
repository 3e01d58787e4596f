/** One request and its response, over one connection to an address that was checked. */
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { OutgoingError } from './error.ts';

/** How much of a body is read. */
export interface BodyBounds {
  maxBytes: number;
  /** The beginning of a longer body is the body of the response. Otherwise a longer one is `too_large`. */
  cut: boolean;
}

/** What a response says before its body. */
export type ResponseHead = Pick<OutgoingResponse, 'status' | 'headers'>;

const MAX_HEADERS_BYTES = 16 * 1024;
/**
 * What Node's parser reads without any bound, and without a body to show for it: empty lines and interim responses
 * before the response, zeros before the length of a chunk, bodies in chunks of one byte. All of it is read on the event
 * loop.
 */
const ENDLESS = {
  /** Bytes besides those of a body: its headers, and what stands between its chunks. */
  bytes: 64 * 1024,
  interimResponses: 10,
  chunks: 4096,
};

export interface Exchange {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** Checked addresses of the URL's host. No other one is connected to. */
  addresses: readonly string[];
  /** Ends it, with its connection. */
  signal: AbortSignal;
  /** Certificates to trust instead of the public ones (PEM). */
  ca: string | undefined;
  boundsOf(head: ResponseHead): BodyBounds;
}

export interface OutgoingResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body was longer, and this is its beginning. */
  isCut: boolean;
  /** What has responded, after all redirects. */
  url: string;
}

/** Rejects with `OutgoingError`, or with the reason of the signal. However it ends, the connection is closed. */
export async function exchange(the: Exchange): Promise<OutgoingResponse> {
  the.signal.throwIfAborted();
  const { url, method, headers, body, signal, ca, boundsOf } = the;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  // The agent `false` keeps no connection and no session, and reads no proxy from the environment.
  const request = send(url, {
    method,
    headers,
    signal,
    agent: false,
    maxHeaderSize: MAX_HEADERS_BYTES,
    // The types of Node do not know `autoSelectFamily` here; the request passes it on to its socket.
    ...{ lookup: onlyTo(the.addresses), autoSelectFamily: true },
    // Said here, so that no variable of the environment turns it off.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  try {
    return await new Promise((resolve, reject) => {
      let hasResponse = false;
      const bound = boundBytes(request, reject);
      request.on('response', (response) => {
        hasResponse = true;
        const bounds = boundsOf({ status: response.statusCode ?? 0, headers: response.headers });
        bound.allow(2 * bounds.maxBytes);
        readBody(response, url, bounds).then(resolve, reject);
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(new OutgoingError('unreachable', error.code)),
      );
      request.on('close', () => {
        if (!hasResponse) reject(new OutgoingError('unreachable', 'closed'));
      });
      request.end(body);
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    request.destroy();
  }
}

/** A lookup that knows the checked addresses alone. Node skips it when the host is itself an address. */
function onlyTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, options, callback) => {
    const [first] = all;
    if (first === undefined) callback(new Error('no address'), '');
    else if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

/** Rejects, and closes the connection, when more is sent than the bounds say, or too many interim responses. */
function boundBytes(request: ClientRequest, reject: (error: OutgoingError) => void) {
  let left = ENDLESS.bytes;
  let interim = 0;
  const end = () => {
    reject(new OutgoingError('too_large'));
    request.destroy();
  };
  request.on('information', () => {
    if (++interim === ENDLESS.interimResponses) end();
  });
  request.on('socket', (socket) => {
    socket.prependListener('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) end();
    });
  });
  return {
    /** Allows this many more bytes. */
    allow(bytes: number): void {
      left += bytes;
    },
  };
}

async function readBody(
  response: IncomingMessage,
  { href: url }: URL,
  { maxBytes, cut }: BodyBounds,
): Promise<OutgoingResponse> {
  const { headers, statusCode: status = 0 } = response;
  // What nobody wants to read is not waited for.
  if (cut && maxBytes === 0) return { status, headers, body: Buffer.alloc(0), isCut: true, url };
  const chunks: Buffer[] = [];
  let size = 0;
  const isCut = await new Promise<boolean>((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      if (response.destroyed) return;
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size <= maxBytes && chunks.length < ENDLESS.chunks) return;
      if (cut) resolve(true);
      else reject(new OutgoingError('too_large'));
      response.destroy();
    });
    response.on('end', () => resolve(false));
    const breakOff = () => reject(new OutgoingError('unreachable', 'broken off'));
    response.on('error', breakOff);
    response.on('close', breakOff);
  });
  return { status, headers, body: Buffer.concat(chunks), isCut, url };
}

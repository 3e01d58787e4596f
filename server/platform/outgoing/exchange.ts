/** One request and its response, over one connection to an address that was checked. */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
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
      request.on('response', (response) => {
        hasResponse = true;
        readBody(response, url, boundsOf).then(resolve, reject);
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

async function readBody(
  response: IncomingMessage,
  { href: url }: URL,
  boundsOf: Exchange['boundsOf'],
): Promise<OutgoingResponse> {
  const { headers, statusCode: status = 0 } = response;
  const { maxBytes, cut } = boundsOf({ status, headers });
  // What nobody wants to read is not waited for.
  if (cut && maxBytes === 0) return { status, headers, body: Buffer.alloc(0), isCut: true, url };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const left = maxBytes - size;
      size += chunk.length;
      if (size > maxBytes && !cut) throw new OutgoingError('too_large');
      chunks.push(chunk.subarray(0, left));
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw error instanceof OutgoingError ? error : new OutgoingError('unreachable', 'broken off');
  }
  return { status, headers, body: Buffer.concat(chunks), isCut: size > maxBytes, url };
}

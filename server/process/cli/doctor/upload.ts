/**
 * Whether the bytes of uploads come through a proxy. Without a token the server refuses them with 401 by itself: then
 * they have come through. It does so before they have arrived, so its answer also tells whether a proxy keeps them back.
 */
import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

const NAME = 'uploads';
const KIB = 1024;
const MIB = KIB * KIB;
/** The largest request of an upload, and one that smaller limits of proxies let through. */
const SIZES = [8 * MIB, MIB];
const FIRST_BYTES = 64 * KIB;
/** An answer within this time does not wait for the bytes. */
const EARLY_MS = 3000;
const TIMEOUT_MS = 30_000;
const REMEDY = 'client_max_body_size in deploy/nginx.conf.example';

interface Answer {
  status: number;
  /** It came before the bytes had been sent. */
  isEarly: boolean;
}

export async function checkUpload(origin: string): Promise<Check> {
  for (const bytes of SIZES) {
    const answer = await probe(origin, bytes).catch((error: unknown) => reasonOf(error));
    const size = `${bytes / MIB} MiB`;
    if (typeof answer !== 'string' && answer.status === 401) return judged(answer, bytes, size);
    if (bytes !== SIZES.at(-1)) continue;
    const told = typeof answer === 'string' ? `end with ${answer}` : `are answered with ${answer.status}`;
    return problem(NAME, `Requests of ${size} ${told}. Let the proxy pass on 8 MiB: ${REMEDY}.`);
  }
  throw new Error('there are sizes');
}

function judged({ isEarly }: Answer, bytes: number, size: string): Check {
  if (bytes !== SIZES[0])
    return warning(
      NAME,
      `Requests of ${size} come through, and of 8 MiB not. Uploads take more requests: ${REMEDY}.`,
    );
  return isEarly
    ? ok(NAME, `Requests of ${size} come through, as they arrive.`)
    : warning(
        NAME,
        `Requests of ${size} come through, but the proxy collects them first: what came before a cut is sent again. ` +
          'Let it pass them on as they come: proxy_request_buffering in deploy/nginx.conf.example.',
      );
}

async function probe(origin: string, bytes: number): Promise<Answer> {
  const send = origin.startsWith('https:') ? httpsRequest : httpRequest;
  const request = send(`${origin}${API_PREFIX}/uploads/${'A'.repeat(22)}`, {
    agent: false,
    method: 'PATCH',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes,
    },
  });
  const status = statusOf(request);
  // It is awaited later.
  status.catch(() => undefined);
  try {
    request.write(Buffer.alloc(FIRST_BYTES));
    const early = await Promise.race([status, sleep(EARLY_MS)]);
    if (early !== undefined) return { status: early, isEarly: true };
    for (let at = FIRST_BYTES; at < bytes && !request.destroyed; at += FIRST_BYTES) {
      const written = new Promise<void>((resolve) =>
        request.write(Buffer.alloc(FIRST_BYTES), () => resolve()),
      );
      // The answer ends it, too: Node forgets the callback of a write after the end of a response.
      if ((await Promise.race([written, status])) !== undefined) break;
    }
    request.end();
    return { status: await status, isEarly: false };
  } finally {
    request.destroy();
  }
}

function statusOf(request: ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    request.on('response', (response) => {
      response.resume();
      response.on('error', () => undefined);
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.on('close', () => reject(new Error('no answer')));
  });
}

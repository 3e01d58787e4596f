/** Checks of the address that people use: what stands between them and the server. */
import { WebSocket } from 'ws';
import type { Config } from '../../../platform/config.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';
import { checkUpload } from './upload.ts';

const TIMEOUT_MS = 10_000;

export async function checkUrl(url: URL, config: Config): Promise<Check[]> {
  const { origin } = url;
  const health = await checkHealth(origin);
  if (health.verdict === 'problem') return [health];
  return [
    health,
    checkScheme(url),
    await checkHeaders(origin),
    await checkUpgrade(origin),
    await checkOrigin(origin, config),
    ...(config.files.fileBytes === 0 ? [] : [await checkUpload(origin)]),
  ];
}

async function get(address: string): Promise<Response> {
  return await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
}

async function checkHealth(origin: string): Promise<Check> {
  try {
    const response = await get(`${origin}/health`);
    if (response.status >= 300 && response.status < 400)
      return problem('address', `It leads to ${response.headers.get('location')}. Give that address.`);
    const { version } = (await response.json()) as { version?: unknown };
    if (response.ok && typeof version === 'string')
      return ok('address', `Roomful ${version} answers at ${origin}.`);
    return problem(
      'address',
      `${origin}/health answers with ${response.status}, and not as Roomful. Check the proxy.`,
    );
  } catch (error) {
    return problem(
      'address',
      `${origin} does not answer as Roomful: ${reasonOf(error)}. Check its name, its port and the proxy.`,
    );
  }
}

function checkScheme({ protocol, hostname }: URL): Check {
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  return protocol === 'https:' || isLocal
    ? ok('encryption', protocol === 'https:' ? 'HTTPS' : 'none is needed on this machine')
    : warning(
        'encryption',
        'Passwords travel in the clear. Put a proxy with HTTPS in front: deploy/ has examples.',
      );
}

async function checkHeaders(origin: string): Promise<Check> {
  const { headers } = await get(`${origin}/`);
  const missing = ['content-security-policy', 'x-content-type-options'].filter((name) => !headers.has(name));
  return missing.length === 0
    ? ok('headers', 'The security headers arrive.')
    : problem('headers', `The proxy drops ${missing.join(' and ')}. Let it pass them on.`);
}

/** Without a ticket an upgrade is refused with 401 by the server itself: then it has come through. */
async function checkUpgrade(origin: string): Promise<Check> {
  const address = `${origin.replace(/^http/, 'ws')}/ws?room_id=1`;
  const status = await new Promise<number | Error>((resolve) => {
    const socket = new WebSocket(address, ['chatroom.v1'], { handshakeTimeout: TIMEOUT_MS });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', resolve);
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
  });
  if (status === 401) return ok('WebSocket', 'Upgrades come through.');
  if (status instanceof Error) return problem('WebSocket', `No upgrade comes through: ${status.message}.`);
  return problem(
    'WebSocket',
    `The proxy answers an upgrade with ${status}. Let it pass Upgrade and Connection on: deploy/nginx.conf.example.`,
  );
}

/** The server says whether a page of this origin may open sockets. */
async function checkOrigin(origin: string, { publicUrls }: Config): Promise<Check> {
  const response = await get(`${origin}/ws?room_id=1&origin=${encodeURIComponent(origin)}`);
  if (response.status === 403)
    return problem('origin', `The server takes this address for a foreign one. Set PUBLIC_URL=${origin}`);
  if (publicUrls.length === 0)
    return warning(
      'origin',
      `Set PUBLIC_URL=${origin}, so that links and sockets do not depend on the proxy's headers.`,
    );
  return ok('origin', 'The server knows this address as its own.');
}

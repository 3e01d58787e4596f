/**
 * The cookie by which a page of the web client shows files: `<img>` and `<video>` send no header of their own. It goes to
 * `/files` alone, no script can read it, and no page of another origin makes a browser send it. Its token opens nothing
 * else, and lives as long as an access token, with which it is renewed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../../features/identity/sessions.ts';

const NAME = 'roomful_files';
const VALUE = new RegExp(`(?:^|; *)${NAME}=([A-Za-z0-9_.-]+)`);

/** Beside tokens that a session has just got. */
export function setFileCookie(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  sessions: Pick<Sessions, 'fileToken'>,
  { access_token: accessToken, expires_in: seconds }: { access_token: string; expires_in: number },
): void {
  reply.header('set-cookie', cookieOf(request, sessions.fileToken(accessToken), seconds));
}

export function clearFileCookie({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): void {
  reply.header('set-cookie', cookieOf(request, '', 0));
}

export function fileCookieOf({ headers }: FastifyRequest): string | undefined {
  return VALUE.exec(headers.cookie ?? '')?.[1];
}

function cookieOf({ headers }: FastifyRequest, value: string, seconds: number): string {
  // Browsers name the origin of the page with every POST, also behind a proxy that ends TLS.
  const isSecure = headers.origin?.startsWith('https://') === true;
  const parts = [`${NAME}=${value}`, 'Path=/files', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

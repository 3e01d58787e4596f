/** Requests of programs on this machine itself, as against those that a proxy on it passes on. */
import type { IncomingMessage } from 'node:http';

/** What Prometheus, curl and browsers send. Proxies add headers of many names. */
const CLIENT_HEADER =
  /^(host|connection|user-agent|accept(-.*)?|authorization|cache-control|content-(type|length)|origin|pragma|x-prometheus-.*|x-request-id|sec-.*|cookie|referer|dnt|priority|transfer-encoding|upgrade-insecure-requests|if-.*|traceparent|tracestate)$/;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether the client itself is on this machine. With any other header, with the name of another host, or in the form of
 * HTTP that proxies speak to servers by default, the peer on loopback may be a proxy.
 */
export function isDirect({ headers, httpVersion, socket }: IncomingMessage): boolean {
  const isPlain = Object.keys(headers).every((name) => CLIENT_HEADER.test(name));
  const isLocal = LOOPBACK_HOST.test(headers.host ?? '') && httpVersion === '1.1';
  return isPlain && isLocal && isLoopback(socket.remoteAddress ?? '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

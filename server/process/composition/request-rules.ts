/** What is known of a request before it is read: who sends it, from which page, and how often. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { From } from '../../features/rooms/invites.ts';
import type { Config } from '../../platform/config.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import { RequestLimit } from '../../platform/limits/request-limit.ts';
import type { Logger } from '../../platform/log.ts';
import { addressKey, createClientAddressOf } from '../../platform/net/client-address.ts';
import { isDirect } from '../../platform/net/direct-request.ts';
import { OriginPolicy } from '../../platform/net/origin.ts';
import { ProxyWarnings } from '../../platform/net/proxy-warnings.ts';

/** The rules for every request, and for every upgrade to a WebSocket. */
export function createRequestRules(config: Config, log: Logger, limits: Limits) {
  const isExempt = proxyAddr.compile(config.rateLimitExempt);
  const requestLimit = new RequestLimit({
    ...config.rateLimit,
    isExempt: (address) => isExempt(address, 0),
    limits,
  });
  const proxyWarnings = new ProxyWarnings(log);
  const isTrusted = proxyAddr.compile(config.trustProxy);
  const clientAddressOf = createClientAddressOf({
    trustProxy: config.trustProxy,
    onIgnoredHeader: (peer) => proxyWarnings.forwardedForIgnored(peer),
  });
  const origins = new OriginPolicy({
    allowedOrigins: config.allowedOrigins,
    publicOrigins: config.publicUrls,
    isTrustedProxy: (request) => isTrusted(request.socket.remoteAddress ?? '', 0),
    warnings: proxyWarnings,
  });
  const attemptsFrom = (request: IncomingMessage): From => {
    const address = clientAddressOf(request);
    return { key: isExempt(address, 0) ? undefined : addressKey(address) };
  };
  /** Tests and scripts on the machine itself have no limit; a proxy there that nobody trusts has one. */
  const newcomersFrom = (request: IncomingMessage): From =>
    isDirect(request) ? { key: undefined } : attemptsFrom(request);
  return { requestLimit, proxyWarnings, clientAddressOf, origins, attemptsFrom, newcomersFrom };
}

/** The client's address, as limits, logs and socket counts use it. */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** Stands for a peer without an address: a socket that is already closed, or a Unix socket. */
export const UNKNOWN_ADDRESS = 'unknown';

export type ClientAddressOf = (request: IncomingMessage) => string;

export interface ClientAddressOptions {
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-For` is believed. */
  trustProxy: readonly string[];
  /** Called once, when an untrusted peer first sends the header: TRUST_PROXY was probably forgotten. */
  onIgnoredHeader(peer: string): void;
}

/**
 * Makes the function that finds a request's client. Anybody can send `X-Forwarded-For`, so the list is read from the
 * right, through trusted proxies only. The first untrusted hop is the client.
 */
export function createClientAddressOf(options: ClientAddressOptions): ClientAddressOf {
  const isTrusted = proxyAddr.compile([...options.trustProxy]);
  let warned = false;
  return (request) => {
    const peer = request.socket.remoteAddress;
    if (peer === undefined || peer === '') return UNKNOWN_ADDRESS;
    if (request.headers['x-forwarded-for'] === undefined) return plainAddress(peer);
    if (isTrusted(peer, 0)) return furthestKnown(proxyAddr.all(request, isTrusted), peer);
    if (!warned) options.onIgnoredHeader(plainAddress(peer));
    warned = true;
    return plainAddress(peer);
  };
}

/** The furthest hop with a valid address. What is none (`unknown`, say) counts as the proxy that passed it on. */
function furthestKnown(hops: readonly string[], peer: string): string {
  return plainAddress(hops.findLast((hop) => isIP(withoutPort(hop)) !== 0) ?? peer);
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop);
  return match?.[1] ?? match?.[2] ?? hop;
}

/** A mapped IPv4 address becomes IPv4. An IPv6 address loses its zone, which names an interface of this machine. */
function plainAddress(hop: string): string {
  // Most are IPv4 without a port, mapped where the server listens on IPv6, too. Every request asks several times.
  const plain = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(hop)?.[1];
  if (plain !== undefined) return plain;
  const address = withoutPort(hop).replace(/%.*$/, '');
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  return mappedIpv4(groups) ?? address.toLowerCase();
}

/**
 * The key that limits count by: an IPv4 address, or the first 64 bits of an IPv6 address. A subscriber gets at least a
 * /64, and could use a new address for every request.
 */
export function addressKey(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  return mappedIpv4(groups) ?? `${groups.slice(0, 4).map(hex).join(':')}::/64`;
}

function hex(group: number): string {
  return group.toString(16);
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser knows every spelling and gives hexadecimal groups with one `::` at most.
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return parse(head);
  const [before, after] = [parse(head), parse(tail)];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address within `::ffff:0:0/96` (RFC 4291 §2.5.5.2), or null. */
function mappedIpv4(groups: readonly number[]): string | null {
  const [a, b, c, d, e, marker, high = 0, low = 0] = groups;
  if (a !== 0 || b !== 0 || c !== 0 || d !== 0 || e !== 0 || marker !== 0xffff) return null;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

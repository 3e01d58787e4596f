/** Which addresses are on the public internet. */
import ipaddr from 'ipaddr.js';

/** All of today's global unicast addresses (RFC 4291 §2.4, and IANA's registry): the rest of IPv6 is for other uses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is a global unicast one. False for every other kind: loopback, private, link-local, shared
 * (100.64.0.0/10), multicast, documentation, benchmarks, and what IANA reserves; also for IPv6 that carries an IPv4
 * address (mapped, NAT64, 6to4, Teredo), because the packet may end at that address. False for a text that is no plain
 * address, or that has a zone.
 */
export function isGlobalUnicast(text: string): boolean {
  if (text.includes('%')) return false;
  const address = parseAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

/** An address in its usual spelling: four decimal numbers, or IPv6. Undefined for anything else. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

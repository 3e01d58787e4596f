/** Which addresses are on the public internet. */
import ipaddr from 'ipaddr.js';

/** All of today's global unicast addresses (RFC 4291 §2.4, and IANA's registry): the rest of IPv6 is for other uses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Global unicast addresses that lead to a cloud's own services from inside of it, as private ones do: the platform of
 * Azure, which hands out secrets of the machine, and the service network of IBM Cloud.
 */
const OF_CLOUDS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * Whether an address is a global unicast one, and leads to the public internet from everywhere. False for every other
 * kind: loopback, private, link-local, shared (100.64.0.0/10), multicast, documentation, benchmarks, and what IANA
 * reserves; also for IPv6 that carries an IPv4 address (mapped, NAT64, 6to4, Teredo), because the packet may end at
 * that address. False for a text that is no plain address, or that has a zone.
 */
export function isGlobalUnicast(text: string): boolean {
  if (text.includes('%')) return false;
  const address = parseAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_IPV6);
  return !OF_CLOUDS.some((range) => address.match(range));
}

/** An address in its usual spelling: four decimal numbers, or IPv6. Undefined for anything else. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

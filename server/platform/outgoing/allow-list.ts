/** OUTGOING_ALLOW: the hosts that Roomful may open although they are not on the public internet. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseAddress } from './addresses.ts';

/** The ports of http and https, which need no permission. */
const USUAL_PORTS: readonly number[] = [80, 443];

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** `host`: a name, in the form that a URL has it. */
type Entry = { ports: readonly number[] } & ({ host: string } | { range: Range });

/**
 * One item of the setting: a name, an address or a range (CIDR), with an optional port, as in `push.example.org`,
 * `10.1.2.0/24:8443` or `[fd00::/8]:8080`. Without a port it stands for ports 80 and 443. Undefined when it is none of
 * these, or a range of all addresses.
 */
function parseEntry(item: string): Entry | undefined {
  if (isIP(item.split('/')[0] ?? '') === 6) return inRange(item, undefined);
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(item) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  const text = bracketed ?? plain;
  const version = isIP(text.split('/')[0] ?? '');
  if (version !== 0) return (version === 6) === (bracketed !== undefined) ? inRange(text, port) : undefined;
  if (bracketed !== undefined || !/^[^/?#@*\\\s]+$/.test(text) || !URL.canParse(`http://${text}`))
    return undefined;
  const { hostname } = new URL(`http://${text}`);
  // A number such as 0x7f000001 is an address in disguise: its entry says something else than it seems to.
  return isIP(hostname) === 0 ? { host: hostname, ports: portsOf(port) } : undefined;
}

function inRange(text: string, port: string | undefined): Entry | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const parsed = parseAddress(address);
  const bits = parsed?.kind() === 'ipv4' ? 32 : 128;
  if (parsed === undefined || rest.length > 0 || address.includes('%')) return undefined;
  if (prefix !== undefined && (!/^[1-9][0-9]{0,2}$/.test(prefix) || Number(prefix) > bits)) return undefined;
  return { range: ipaddr.parseCIDR(`${address}/${prefix ?? bits}`), ports: portsOf(port) };
}

function portsOf(port: string | undefined): readonly number[] {
  return port === undefined ? USUAL_PORTS : [Number(port)];
}

/** Whether the setting may have this item. */
export function isAllowEntry(item: string): boolean {
  return parseEntry(item) !== undefined;
}

export class AllowList {
  readonly #entries: readonly Entry[];

  /** Throws on an item that is not `isAllowEntry`. */
  constructor(items: readonly string[]) {
    this.#entries = items.map((item) => {
      const entry = parseEntry(item);
      if (entry === undefined) throw new Error(`not a host or a range: ${item}`);
      return entry;
    });
  }

  /** Whether an entry names this host itself: by its name, or, for an address, by its range. */
  names(host: string, port: number): boolean {
    return this.#entries.some(
      (entry) =>
        entry.ports.includes(port) && ('host' in entry ? entry.host === host : isIn(entry.range, host)),
    );
  }

  /** Whether a connection to this address, which `host` has, is allowed by an entry. */
  allows(host: string, address: string, port: number): boolean {
    return this.names(host, port) || this.names(address, port);
  }

  /** Whether an address of some host could be allowed on this port. */
  hasPort(port: number): boolean {
    return USUAL_PORTS.includes(port) || this.#entries.some(({ ports }) => ports.includes(port));
  }
}

/** Whether the port may be used on a host that no entry allows. */
export function isUsualPort(port: number): boolean {
  return USUAL_PORTS.includes(port);
}

function isIn([network, bits]: Range, text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && address.kind() === network.kind() && address.match(network, bits);
}

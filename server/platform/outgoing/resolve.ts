/** From a name to its addresses. */
import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a name, in the order in which to try them; rejects when it has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/** More are not tried. */
const MAX_ADDRESSES = 8;
const TIMEOUT_MS = 2000;

/**
 * By DNS alone. The resolver of the system would occupy one of the few threads that also hash passwords, for as long as
 * a name server of a stranger takes.
 */
export const resolveByDns: Resolve = async (name, signal) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) =>
      one.status === 'fulfilled' ? one.value.slice(0, MAX_ADDRESSES / 2) : [],
    );
    if (addresses.length > 0) return addresses;
    throw found[0].status === 'rejected' ? found[0].reason : new Error('the name has no addresses');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As the system resolves names, with its hosts file; for names that the operator trusts. */
export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true });
  return found.slice(0, MAX_ADDRESSES).map(({ address }) => address);
};

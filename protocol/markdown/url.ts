/** Addresses, as the parser of browsers and of Node reads them. */

/** What is used of the class that browsers and Node have. */
interface ParsedUrl {
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly username: string;
  readonly password: string;
}
declare const URL: new (address: string) => ParsedUrl;

/** The address in parts; null when it is none. */
export function parseAddress(address: string): ParsedUrl | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** The host that an address leads to, in ASCII; of a mail address the part after the @. */
export function hostOf(address: string): string | undefined {
  const url = parseAddress(address);
  if (url?.protocol !== 'mailto:') return url?.hostname;
  const host = url.pathname.replace(/^[^@]*@/, '').toLowerCase();
  return parseAddress(`https://${decoded(host)}`)?.hostname ?? host;
}

/** A mail address keeps its host with its letters encoded. */
function decoded(host: string): string {
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}

/** Which addresses become links: http, https and mailto, and no other. */

/** Chinese and Japanese set no space after an address, so their punctuation ends it. */
const ADDRESS = /^(?:https?:\/\/|www\.)[^\s\\\p{Cf}<>"'`“”‘’，。！？；：、（）「」『』《》【】]+/iu;
/** Where a text shows an address, whatever stands before it. */
const SHOWN = /(?:https?:\/\/|www\.)/giu;
/** Where a text shows a bare name of a host: words with dots between them, the last one of letters. */
const SHOWN_HOST =
  /(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*\.(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})(?![\p{L}\p{N}_-])/giu;
/**
 * Endings of files: those that no host has, and md, rs, py and sh, which in a talk are more often files than countries.
 * And "1.概述", which begins a heading.
 */
const NO_HOST =
  /\.(?:c?js|mjs|ts|[jt]sx|vue|json|html?|s?css|md|rs|py|sh|rb|go|java|kt|cs|[ch]pp|sql|txt|log|pdf|docx?|xlsx?|pptx?|csv|xml|ya?ml|toml|ini|conf|lock|png|jpe?g|gif|webp|svg|mp[34]|exe)$|^\p{N}+\.\p{Lo}+$/iu;
/** What is not seen of a text: format characters, and the marks of Markdown. */
const UNSEEN = /[\p{Cf}\p{Cc}*_~`]/gu;
/** Punctuation that ends a sentence rather than an address. */
const TRAILING = '.,:;!?…*_~|\\';
/** By the closing one. */
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

export interface WebLink {
  /** As it was typed. */
  readonly text: string;
  readonly href: string;
}

/** The web address that `text` begins with, or null. What begins with `www.` is taken for https. */
export function leadingAddress(text: string): WebLink | null {
  const found = ADDRESS.exec(text)?.[0];
  if (found === undefined) return null;
  const address = trimAddress(found);
  const href = /^www\./i.test(address) ? `https://${address}` : address;
  const url = parse(href);
  if (url === null || !isSafeDestination(href)) return null;
  if (/^www\./i.test(address) && !/^www\..+\../i.test(url.hostname)) return null;
  return { text: address, href };
}

/** May this destination be a link? Asks the browser's own parser, which sees through case, spaces and control characters. */
export function isSafeDestination(destination: string): boolean {
  // The parser drops these silently; who writes them into an address means no good.
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(destination)) return false;
  const url = parse(destination);
  if (url?.protocol === 'mailto:') return url.pathname.includes('@');
  // A name before the host is there to be taken for the host.
  return (
    url !== null && hasWebProtocol(url) && url.hostname !== '' && url.username === '' && url.password === ''
  );
}

/** Would somebody who reads `text` expect to come to another place than `destination`? */
export function pretendsAnotherHost(text: string, destination: string): boolean {
  const seen = text.replace(UNSEEN, '');
  const host = hostOf(destination);
  const addresses = [...seen.matchAll(SHOWN)].flatMap(({ index }) => leadingAddress(seen.slice(index)) ?? []);
  return (
    addresses.some(({ href }) => hostOf(href) !== host) ||
    bareHosts(seen, addresses).some((shown) => shown !== host)
  );
}

/** The hosts that a text shows without `https://` before them; what belongs to an address is not one of its own. */
function bareHosts(seen: string, addresses: readonly WebLink[]): (string | undefined)[] {
  const rest = addresses.reduce((left, { text }) => left.replace(text, ' '), seen);
  // As the browser reads a host: wide letters are narrow ones, and a Chinese full stop among Latin letters is a dot.
  const read = rest.normalize('NFKC').replace(/(?<=[a-z0-9])。(?=[a-z0-9])/giu, '.');
  const hosts = [...read.matchAll(SHOWN_HOST)]
    .map(([found]) => found)
    .filter((found) => !NO_HOST.test(found));
  return hosts.map((found) => hostOf(`https://${found}`));
}

/** The host that an address leads to; of a mail address what stands behind the @. */
function hostOf(address: string): string | undefined {
  const url = parse(address);
  const host =
    url?.protocol === 'mailto:' ? url.pathname.replace(/^[^@]*@/, '').toLowerCase() : url?.hostname;
  return host?.replace(/^www\./, '');
}

/** A closing bracket belongs to the address only when it was opened there: (see http://a.b/c_(d)). */
function trimAddress(found: string): string {
  const unopened = new Map<string, number>();
  for (const [close, open] of Object.entries(OPENING))
    unopened.set(close, count(found, close) - count(found, open));
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const spare = unopened.get(last) ?? 0;
    if (spare > 0) unopened.set(last, spare - 1);
    else if (!TRAILING.includes(last)) break;
  }
  return found.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function hasWebProtocol(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

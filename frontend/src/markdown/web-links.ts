/** Which addresses become links: http, https and mailto, and no other. */

/** Chinese and Japanese put no space after an address, so their punctuation ends it. */
const ADDRESS = /^(?:https?:\/\/|www\.)[^\s\\\p{Cf}<>"'`“”‘’，。！？；：、（）「」『』《》【】]+/iu;
/** Punctuation that ends a sentence rather than an address. */
const TRAILING = '.,:;!?…*_~|\\';
/** The opening bracket by the closing one. */
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

export interface WebLink {
  /** As it was typed. */
  readonly text: string;
  readonly href: string;
}

/** The web address that `text` begins with, or null. An address that begins with `www.` leads to https. */
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

/**
 * May this destination be a link? Asks the browser's own parser, which sees through case, spaces and control
 * characters.
 */
export function isSafeDestination(destination: string): boolean {
  // The parser drops these silently. Only an attacker writes them into an address.
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(destination)) return false;
  const url = parse(destination);
  if (url?.protocol === 'mailto:') return url.pathname.includes('@');
  // A user name before the host is meant to be mistaken for the host.
  return (
    url !== null && hasWebProtocol(url) && url.hostname !== '' && url.username === '' && url.password === ''
  );
}

/** The host that an address leads to; of a mail address the part after the @. */
export function hostOf(address: string): string | undefined {
  const url = parse(address);
  return url?.protocol === 'mailto:' ? url.pathname.replace(/^[^@]*@/, '').toLowerCase() : url?.hostname;
}

/** A closing bracket belongs to the address only when it was opened within it: (see http://a.b/c_(d)). */
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

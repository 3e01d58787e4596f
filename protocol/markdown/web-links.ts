/** Which addresses become links: http, https and mailto, and no other. */
import { withHonestHost } from './disguised-hosts.ts';
import { UNSPACED } from './scripts.ts';
import { parseAddress } from './url.ts';

/**
 * The host of an address, and what follows it. Chinese and Japanese put no space after an address, so their punctuation
 * ends it; so does the end of a link's label. An apostrophe within a word of the path belongs to the address.
 */
const ADDRESS =
  /(?:https?:\/\/|www\.)((?:(?!\]\()[^\s\\\p{Cf}<>"'`“”‘’，。！？；：、（）「」『』《》【】/?#])+)(?:[/?#](?:(?!\]\()[^\s\\\p{Cf}<>"'`“”‘’，。！？；：、（）「」『』《》【】]|(?<=[\p{L}\p{N}])'(?=[\p{L}\p{N}]))*)?/iuy;
/** The last part of a host in ASCII, before a text that was set without a space: `e.com的内容`. No host ends so. */
const ASCII_END = new RegExp(`[a-z\\d](?::\\d+)?(?=${UNSPACED.source})`, 'iu');
/** Punctuation that ends a sentence rather than an address. */
const TRAILING = '.,:;!?…*_~|\\';
/** The opening bracket by the closing one. */
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

export interface WebLink {
  /** As it was typed. */
  readonly typed: string;
  readonly href: string;
  /** As it is shown: a host that looks like another one is in ASCII. */
  readonly shown: string;
}

/** The link that an address makes. Null where it is not allowed to. */
export function toWebLink(typed: string, href: string): WebLink | null {
  if (!isSafeDestination(href)) return null;
  return { typed, href: withHonestHost(href), shown: withHonestHost(typed) };
}

/**
 * The web address that stands at a place of the text, or null, and where what looks like one ends. An address that
 * begins with `www.` leads to https.
 */
export function leadingAddress(
  text: string,
  at = 0,
): { readonly link: WebLink | null; readonly end: number } {
  ADDRESS.lastIndex = at;
  const [found, host = ''] = ADDRESS.exec(text) ?? [];
  if (found === undefined) return { link: null, end: at };
  const typed = trimAddress(withoutWords(found, host));
  const isBare = /^www\./i.test(typed);
  const href = isBare ? `https://${typed}` : typed;
  const isHost = !isBare || /^www\..+\../i.test(parseAddress(href)?.hostname ?? '');
  return { link: isHost ? toWebLink(typed, href) : null, end: at + found.length };
}

/**
 * May this destination be a link? Asks the browser's own parser, which sees through case, spaces and control
 * characters.
 */
export function isSafeDestination(destination: string): boolean {
  // The parser drops these silently. Only an attacker writes them into an address.
  if (/[\p{Cc}\p{Cf}\s\\]/u.test(destination)) return false;
  const url = parseAddress(destination);
  if (url?.protocol === 'mailto:') return url.pathname.includes('@');
  // A user name before the host is meant to be mistaken for the host.
  return (
    (url?.protocol === 'http:' || url?.protocol === 'https:') &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === ''
  );
}

/** The address without the words that follow its host directly. */
function withoutWords(found: string, host: string): string {
  const before = found.indexOf(host) + host.lastIndexOf('.') + 1;
  const end = ASCII_END.exec(found.slice(before, found.indexOf(host) + host.length));
  return end === null ? found : found.slice(0, before + end.index + end[0].length);
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
  return found.slice(0, end) + ownLines(found, end);
}

/** Lines that begin and end a part of the path belong to it: `https://e.example/__init__`. */
function ownLines(found: string, end: number): string {
  const [lines = ''] = /^_*/.exec(found.slice(end)) ?? [];
  return lines !== '' && found.lastIndexOf(`/${lines}`, end) !== -1 ? lines : '';
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/**
 * Compares the label of a link with its destination. A label with an address of another host is not made a link. A bare
 * name may be meant as a host (`bank.example`) or not (`client.send()`), so the real host is shown after it.
 */
import { withHonestHost } from './disguised-hosts.ts';
import { hostOf } from './url.ts';
import { leadingAddress } from './web-links.ts';

/** The invisible parts of a text: format characters, and the marks of Markdown. */
const UNSEEN = /[\p{Cf}\p{Cc}*_~`]/gu;
/** Where an address begins in a text. */
const BEFORE_ADDRESS = /(?=https?:\/\/|www\.)/iu;
const NAME_CHARACTER = /[\p{L}\p{N}\p{M}_.-]/u;
/** How the last part of a host begins. A version or a chapter has a number there, "e.g." a single letter. */
const LAST_PART = /^[\p{L}\p{M}]{2}/u;
/** Common file names that are not hosts, and "1.概述", which begins a heading. */
const NO_HOST = /\.(?:[cm]?[jt]s|[jt]sx|json|md|html|css|txt|pdf|png|jpe?g)$|^\p{N}+\.\p{Lo}+$/iu;
/** Between Chinese or Japanese words a 。 ends a sentence. Elsewhere a browser reads it as a dot. */
const FOREIGN_FULL_STOP =
  /(?<=[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\P{L}]|\p{N})。|。(?=[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\P{L}])/gu;

/** Does `label` show the address of another host than that of `destination`? */
export function pretendsAnotherHost(label: string, destination: string): boolean {
  const host = withoutWww(hostOf(destination));
  return readLabel(label).addresses.some((address) => withoutWww(hostOf(address)) !== host);
}

/** The host that `destination` leads to, where `label` has the name of another, or it looks like another; else null. */
export function hostBehind(label: string, destination: string): string | null {
  const host = hostOf(destination);
  if (host === undefined) return null;
  if (withHonestHost(destination) !== destination) return host;
  const read = readLabel(label).rest.normalize('NFKC').replace(FOREIGN_FULL_STOP, '.');
  for (const name of dottedNames(read)) {
    if (NO_HOST.test(name) || withoutWww(hostOf(`https://${name}`)) === withoutWww(host)) continue;
    return host;
  }
  return null;
}

/**
 * The names in a text that could be hosts: words with dots between them. It reads each character once, in linear time.
 * A regular expression for the whole name would backtrack in a long one.
 */
export function* dottedNames(text: Iterable<string>): Generator<string> {
  let parts: string[] = [];
  let part = '';
  for (const character of text) {
    const inName = NAME_CHARACTER.test(character);
    if (inName && character !== '.') {
      part += character;
      continue;
    }
    if (part !== '') parts.push(part);
    // Two dots are not part of a name: "wait..what".
    const goesOn = inName && part !== '';
    part = '';
    if (goesOn) continue;
    if (isHostLike(parts)) yield parts.join('.');
    parts = [];
  }
  if (part !== '') parts.push(part);
  if (isHostLike(parts)) yield parts.join('.');
}

function isHostLike(parts: readonly string[]): boolean {
  return parts.length > 1 && LAST_PART.test(parts.at(-1) ?? '');
}

/** The addresses in a label, and the rest of it. */
function readLabel(label: string): { addresses: string[]; rest: string } {
  const addresses: string[] = [];
  let rest = '';
  for (const piece of label.replace(UNSEEN, '').split(BEFORE_ADDRESS)) {
    const { link } = leadingAddress(piece);
    if (link !== null) addresses.push(link.href);
    rest += ` ${piece.slice(link?.typed.length ?? 0)}`;
  }
  return { addresses, rest };
}

function withoutWww(host: string | undefined): string | undefined {
  return host?.replace(/^www\./, '');
}

/**
 * What the label of a link says about where it leads. An address of another host makes it no link at all. A bare name
 * may be meant as a host (`bank.example`) or not (`client.send()`), so there the host behind the link is shown with it.
 */
import { hostOf, leadingAddress } from './web-links.ts';

/** What is not seen of a text: format characters, and the marks of Markdown. */
const UNSEEN = /[\p{Cf}\p{Cc}*_~`]/gu;
/** Where a text shows an address, whatever stands before it. */
const BEFORE_ADDRESS = /(?=https?:\/\/|www\.)/iu;
const NAME_CHARACTER = /[\p{L}\p{N}\p{M}_.-]/u;
/** How the last part of a host begins. A version or a chapter has a number there, "e.g." a single letter. */
const LAST_PART = /^[\p{L}\p{M}]{2}/u;
/** Files that are talked of every day and that no host is called like, and "1.概述", which begins a heading. */
const NO_HOST = /\.(?:[cm]?[jt]s|[jt]sx|json|md|html|css|txt|pdf|png|jpe?g)$|^\p{N}+\.\p{Lo}+$/iu;
/** Between words of scripts that end their sentences with it, a 。 ends a sentence. Elsewhere a browser reads a dot. */
const FOREIGN_FULL_STOP =
  /(?<=[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\P{L}]|\p{N})。|。(?=[^\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\P{L}])/gu;

/** Does `label` show the address of another host than that of `destination`? */
export function pretendsAnotherHost(label: string, destination: string): boolean {
  const host = withoutWww(hostOf(destination));
  return readLabel(label).addresses.some((address) => withoutWww(hostOf(address)) !== host);
}

/** The host that `destination` leads to, where `label` has the name of another; else null. */
export function hostBehind(label: string, destination: string): string | null {
  const host = hostOf(destination);
  if (host === undefined) return null;
  const read = readLabel(label).rest.normalize('NFKC').replace(FOREIGN_FULL_STOP, '.');
  for (const name of dottedNames(read)) {
    if (NO_HOST.test(name) || withoutWww(hostOf(`https://${name}`)) === withoutWww(host)) continue;
    return host;
  }
  return null;
}

/**
 * The names in a text that could be hosts: words with dots between them. It takes one character after the other and
 * none twice; an expression for the whole name would go back and forth in a long one.
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
    // Two dots are no part of a name: "wait..what".
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

/** The addresses that a label shows, and what else it says. */
function readLabel(label: string): { addresses: string[]; rest: string } {
  const addresses: string[] = [];
  let rest = '';
  for (const piece of label.replace(UNSEEN, '').split(BEFORE_ADDRESS)) {
    const address = leadingAddress(piece);
    if (address !== null) addresses.push(address.href);
    rest += ` ${piece.slice(address?.text.length ?? 0)}`;
  }
  return { addresses, rest };
}

function withoutWww(host: string | undefined): string | undefined {
  return host?.replace(/^www\./, '');
}

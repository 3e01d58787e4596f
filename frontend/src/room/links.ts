/** Finds bare web addresses in plain text. */

export type TextPart = { readonly kind: 'text' | 'link'; readonly text: string };

/** Chinese and Japanese set no space after an address, so their punctuation ends it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`“”‘’，。！？；：、（）「」『』《》【】]+/giu;
/** Punctuation that ends a sentence rather than an address. */
const TRAILING = /[.,:;!?…*_~]+$/u;
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const;

/** The text in parts; joined, they are the text again. Only http and https become links. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimAddress(match[0]);
    if (!isWebAddress(address)) continue;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push({ kind: 'link', text: address });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function trimAddress(found: string): string {
  let address = found;
  for (;;) {
    let shorter = address.replace(TRAILING, '');
    // A closing bracket belongs to the address only when it was opened there: (see http://a.b/c_(d)).
    for (const [open, close] of BRACKETS) {
      if (shorter.endsWith(close) && count(shorter, close) > count(shorter, open))
        shorter = shorter.slice(0, -1);
    }
    if (shorter === address) return address;
    address = shorter;
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function isWebAddress(address: string): boolean {
  try {
    const { protocol, hostname } = new URL(address);
    return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
  } catch {
    return false;
  }
}

/**
 * What stands within the lines of a message: emphasis, code, links. The grammar is CommonMark's without the parts that
 * a chat does not have: no HTML, no images, no references, no disappearing backslashes. It reads the text once, in
 * linear time, so that the server can use it, too.
 */
import { CodeSpans } from './code-spans.ts';
import { type MarkRun, markRun, pairRuns } from './emphasis.ts';
import { type Inline, type Piece, toTree, withoutLinks } from './inline-tree.ts';
import { hostBehind, pretendsAnotherHost } from './link-labels.ts';
import { characterBefore, UNSPACED } from './scripts.ts';
import { leadingAddress, toWebLink } from './web-links.ts';

/** No name in quotes is longer, in UTF-16 units. */
const LONGEST_QUOTED = 130;

/** Where something other than plain text may begin. The letters are those of an address. */
const MAY_BEGIN = Array.from({ length: 128 }, (_, code) =>
  '\\`<[]*_~!@hHwW'.includes(String.fromCharCode(code)),
);
const WIDE_AT = '＠'.charCodeAt(0);
const ADDRESS_START = /https?:\/\/|www\./iy;
const ESCAPED = /[!-/:-@[-`{-~]/;
const AUTOLINK =
  /<(?:([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*))>/iy;
/** A mention of a name in quotes. Marks within it are part of the name. */
const QUOTED_NAME = /[@＠]["“”]["“”]?[^"“”\n]+["“”]/y;
/** What follows the destination of a link: a title, and the end. */
const LINK_END = /(?:\s+(?:("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))\s*)?)?\)/sy;
const ANGLED = /<((?:\\.|[^\\\n<>])*)>/y;

/** Text without a blank line in it, in parts. */
export function parseInline(text: string): readonly Inline[] {
  return new Reader(text).read();
}

interface Bracket {
  readonly isImage: boolean;
  /** The place after it in the text, among the pieces, and among the runs. */
  readonly inside: number;
  readonly piece: number;
  readonly runs: number;
}

class Reader {
  readonly #text: string;
  readonly #pieces: Piece[] = [];
  readonly #runs: MarkRun[] = [];
  readonly #brackets: Bracket[] = [];
  /** Brackets below this number cannot begin a link: a link has no links in it. */
  #withLink = 0;
  /** What is read up to here is in the pieces. */
  #done = 0;
  /** No address begins before it. */
  #nextAddress = 0;
  readonly #codeSpans: CodeSpans;

  constructor(text: string) {
    this.#text = text;
    this.#codeSpans = new CodeSpans(text);
  }

  read(): readonly Inline[] {
    const { length } = this.#text;
    for (let at = 0; at < length; ) {
      const code = this.#text.charCodeAt(at);
      // A regular expression that finds the next one is several times slower where there are many.
      at = MAY_BEGIN[code] === true || code === WIDE_AT ? this.#readAt(at) : at + 1;
    }
    this.#pushText(this.#text.length);
    pairRuns(this.#runs, 0);
    return toTree(this.#pieces);
  }

  /** Reads what begins at a place, if anything does, and returns where to go on. */
  #readAt(at: number): number {
    const next = at + 1;
    const mark = this.#text.charAt(at);
    switch (mark) {
      case '\\':
        // A backslash keeps a mark from being one, and stays visible: `C:\*.txt`, `¯\_(ツ)_/¯`.
        return ESCAPED.test(this.#text.charAt(next)) ? next + 1 : next;
      case '`':
        return this.#readCode(at);
      case '<':
        return this.#readAutolink(at);
      case '[':
        return this.#openBracket(at, '[');
      case '!':
        return this.#text.charAt(next) === '[' ? this.#openBracket(at, '![') : next;
      case ']':
        return this.#closeBracket(at);
      case '*':
      case '_':
      case '~':
        return this.#readMarks(at, mark);
      case '@':
      case '＠': {
        // What has no quote behind it is none, and there may be thousands.
        if (!'"“”'.includes(this.#text.charAt(next) || ' ')) return next;
        const end = matchEnd(QUOTED_NAME, this.#text, at);
        return end === null || end - at > LONGEST_QUOTED ? next : end;
      }
      default: {
        const end = matchEnd(ADDRESS_START, this.#text, at);
        return end === null ? next : this.#readAddress(at, end);
      }
    }
  }

  /** The bracket is a piece of its own, which a link drops. */
  #openBracket(at: number, mark: '[' | '!['): number {
    this.#push(at, at + mark.length, { kind: 'text', text: mark });
    this.#brackets.push({
      isImage: mark === '![',
      inside: this.#done,
      piece: this.#pieces.length,
      runs: this.#runs.length,
    });
    return this.#done;
  }

  #readCode(at: number): number {
    const { code, end } = this.#codeSpans.readAt(at);
    if (code !== null) this.#push(at, end, { kind: 'code', text: code });
    return end;
  }

  #readAutolink(at: number): number {
    AUTOLINK.lastIndex = at;
    const [all, address, mail] = AUTOLINK.exec(this.#text) ?? [];
    const link = toWebLink(address ?? mail ?? '', address ?? `mailto:${mail}`);
    if (all === undefined || link === null) return at + 1;
    this.#pushLink(at, at + all.length, link);
    return this.#done;
  }

  #readAddress(at: number, next: number): number {
    const before = characterBefore(this.#text, at);
    // No address begins within a word: xhttps://a.example. Chinese sets no space before it.
    const isInWord = /[\p{L}\p{N}]/u.test(before) && !UNSPACED.test(before);
    if (isInWord || at < this.#nextAddress) return next;
    const { link, end } = leadingAddress(this.#text, at);
    if (link === null) {
      // What looks like an address and is none has no other in it.
      this.#nextAddress = end;
      return next;
    }
    this.#pushLink(at, at + link.typed.length, link);
    return this.#done;
  }

  #readMarks(at: number, mark: string): number {
    let end = at + 1;
    while (this.#text.charAt(end) === mark) end++;
    const run = markRun(this.#text, at, end);
    if (run.canOpen || run.canClose) {
      this.#push(at, end, run);
      this.#runs.push(run);
    }
    return end;
  }

  /** Every bracket costs what its target is long, and a target ends at the next one. */
  #closeBracket(at: number): number {
    const bracket = this.#brackets.pop();
    const next = at + 1;
    const isLink = bracket?.isImage === false && this.#brackets.length >= this.#withLink;
    this.#withLink = Math.min(this.#withLink, this.#brackets.length);
    if (bracket === undefined || !(isLink || bracket.isImage)) return next;
    const target = this.#text.charAt(next) === '(' ? readTarget(this.#text, next) : null;
    if (target === null) return next;
    if (bracket.isImage) {
      // An image is taken as a whole, and shown as typed.
      this.#pieces.length = bracket.piece;
      this.#runs.length = bracket.runs;
      this.#done = bracket.inside;
      this.#pushText(target.end);
      return target.end;
    }
    const label = this.#text.slice(bracket.inside, at);
    const { href, title, end } = target;
    const link = toWebLink(label, href);
    // A link without a visible label could not be clicked.
    if (link === null || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(label)) return next;
    this.#withLink = this.#brackets.length;
    this.#pushText(at);
    if (pretendsAnotherHost(label, href)) {
      // It is shown as typed, without a link in the label.
      const pieces = this.#pieces.splice(bracket.piece);
      for (const piece of pieces) this.#pieces.push(...('kind' in piece ? withoutLinks(piece) : [piece]));
      return next;
    }
    pairRuns(this.#runs, bracket.runs);
    this.#runs.length = bracket.runs;
    const children = toTree(this.#pieces.splice(bracket.piece)).flatMap(withoutLinks);
    this.#pieces.pop();
    this.#done = at;
    this.#push(at, end, { kind: 'link', href: link.href, host: hostBehind(label, href), title, children });
    return end;
  }

  #pushLink(
    at: number,
    end: number,
    { href, shown }: { readonly href: string; readonly shown: string },
  ): void {
    this.#push(at, end, {
      kind: 'link',
      href,
      host: null,
      title: '',
      children: [{ kind: 'text', text: shown }],
    });
  }

  #push(at: number, end: number, piece: Piece): void {
    this.#pushText(at);
    this.#pieces.push(piece);
    this.#done = end;
  }

  #pushText(end: number): void {
    if (end > this.#done) this.#pieces.push({ kind: 'text', text: this.#text.slice(this.#done, end) });
    this.#done = end;
  }
}

interface Target {
  readonly href: string;
  readonly title: string;
  readonly end: number;
}

/** Where a link leads to, from its opening parenthesis on. */
function readTarget(text: string, start: number): Target | null {
  let at = start + 1;
  while (/\s/.test(text.charAt(at))) at++;
  const angled = text.charAt(at) === '<';
  const end = angled ? matchEnd(ANGLED, text, at) : destinationEnd(text, at);
  const after = end === null ? null : matchEnd(LINK_END, text, end);
  if (end === null || after === null) return null;
  const typed = angled ? text.slice(at + 1, end - 1) : text.slice(at, end);
  const title = text
    .slice(end, after - 1)
    .trim()
    .slice(1, -1);
  return { href: typed.replace(/\\([!-/:-@[-`{-~])/g, '$1'), title, end: after };
}

/** A destination may have parentheses in it, in pairs. A limit of 32 bounds how often one text is read. */
function destinationEnd(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (/\s/.test(character) || (character === ')' && depth === 0)) return at;
    if (character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    if (depth > 32) return null;
  }
  return null;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

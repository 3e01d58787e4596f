import { Tokenizer, type Tokens } from 'marked';
import { pretendsAnotherHost } from './link-labels.ts';
import { isSafeDestination, leadingAddress } from './web-links.ts';

/** Where the next mark may begin. Everything before it is plain text. */
const NEXT_MARK = /[\\<[`*_~]|!\[|https?:\/\/|www\./iu;
/** A letter or a digit of scripts that set spaces between words. */
const WORD = /[A-Za-z0-9]$/;
/** Emphasis nested deeper than this is shown as typed. */
const MAX_DEPTH = 6;

/**
 * Marked's inline grammar without the parts that a chat does not have: no HTML, no images, no references, no
 * disappearing backslashes. What it refuses is shown as typed.
 */
export class InlineTokenizer extends Tokenizer {
  #depth = 0;
  /** The last character of the last text, and how much was left to read after it. */
  #before = { character: '', left: -1 };

  /** A backslash keeps a mark from being one, and stays visible: `C:\*.txt` is a path, `¯\_(ツ)_/¯` has two arms. */
  override escape(src: string): Tokens.Escape | undefined {
    const token = super.escape(src);
    return token === undefined ? undefined : { ...token, text: token.raw };
  }

  override tag(): undefined {}

  override reflink(): undefined {}

  override br(): undefined {}

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    const token = super.link(src);
    // An image is taken as a whole and shown as typed.
    if (token?.type !== 'link') return token;
    // A title would be hidden, and a link without a visible label could not be clicked.
    if (token.title || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(token.text)) return undefined;
    if (!isSafeDestination(token.href) || pretendsAnotherHost(token.text, token.href)) return undefined;
    return token;
  }

  override autolink(src: string): Tokens.Link | undefined {
    const token = super.autolink(src);
    return token !== undefined && isSafeDestination(token.href) ? token : undefined;
  }

  override url(src: string): Tokens.Link | undefined {
    // No address begins within a word: xhttps://a.example
    if (this.#before.left === src.length && /[\p{L}\p{N}]/u.test(this.#before.character)) return undefined;
    const link = leadingAddress(src);
    if (link === null) return undefined;
    const tokens = [{ type: 'text' as const, raw: link.text, text: link.text }];
    return { type: 'link', raw: link.text, href: link.href, text: link.text, tokens };
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    // A star after a Latin letter or a digit multiplies: 2*3*4. Scripts without spaces allow emphasis within a word.
    if (before !== undefined && WORD.test(before)) return undefined;
    return this.#within(() => super.emStrong(src, masked, before));
  }

  /** One tilde means "about": ~5 minutes. */
  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    if (!src.startsWith('~~')) return undefined;
    return this.#within(() => super.del(src, masked, before));
  }

  override codespan(src: string): Tokens.Codespan | undefined {
    const token = super.codespan(src);
    return token === undefined || token.text.trim() === '' ? undefined : token;
  }

  override inlineText(src: string): Tokens.Text {
    const inWord = this.#before.left === src.length && WORD.test(this.#before.character);
    const first = (inWord ? /^(?:`+|~+|\*+)/ : /^(?:`+|~+)/).exec(src)?.[0].length ?? 1;
    const next = src.slice(first).search(NEXT_MARK);
    const raw = next === -1 ? src : src.slice(0, first + next);
    this.#before = { character: raw.slice(-1), left: src.length - raw.length };
    return { type: 'text', raw, text: raw, escaped: false };
  }

  #within<T>(read: () => T): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

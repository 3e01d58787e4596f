import { Lexer, type Token } from 'marked';
import type { ReactElement } from 'react';
import { InlineTokenizer } from './inline-tokenizer.ts';
import { hostBehind } from './link-labels.ts';

/** A part of a line. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  | InlineLink
  /** Put in after parsing, in the place of its text. */
  | { readonly kind: 'element'; readonly text: string; readonly element: ReactElement };

interface InlineLink {
  readonly kind: 'link';
  readonly href: string;
  /** The host that it leads to, shown after a label that looks like another host. */
  readonly host: string | null;
  readonly children: readonly Inline[];
}

export type InlineParser = (text: string) => readonly Inline[];

/** Every character that may begin or end markup. */
const MARKS = /[\\<![\]()`*_~]|https?:\/\/|www\./giu;
/**
 * The lexer may scan the rest of the text for each mark, so its work is at most their product. Text beyond this bound
 * is an attack or a drawing rather than prose, and is shown as typed.
 */
export const MAX_WORK = 1_500_000;

/** Text without a blank line in it, in parts. */
export function parseInline(text: string): readonly Inline[] {
  const marks = text.match(MARKS)?.length ?? 0;
  if (marks === 0 || marks * text.length > MAX_WORK) return [{ kind: 'text', text }];
  const lexer = new Lexer({ gfm: true, tokenizer: new InlineTokenizer() });
  return toInline(lexer.inlineTokens(text));
}

function toInline(tokens: readonly Token[]): readonly Inline[] {
  const parts: Inline[] = [];
  for (const token of tokens) {
    const part = toPart(token);
    const last = parts.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      parts[parts.length - 1] = { kind: 'text', text: last.text + part.text };
    else parts.push(part);
  }
  return parts;
}

function toPart(token: Token): Inline {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return { kind: token.type, children: toInline(token.tokens ?? []) };
    case 'link':
      return {
        kind: 'link',
        href: token.href,
        // A bare address is its own label.
        host: token.raw.startsWith('[') ? hostBehind(token.text, token.href) : null,
        children: toInline(token.tokens ?? []),
      };
    case 'codespan':
      return { kind: 'code', text: codeOf(token.raw) };
    default:
      return { kind: 'text', text: token.raw };
  }
}

/** The text between the backticks, without the one space that separates a backtick from the marks. */
function codeOf(raw: string): string {
  const marks = /^`+/.exec(raw)?.[0].length ?? 0;
  const code = raw.slice(marks, -marks);
  return /^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code;
}

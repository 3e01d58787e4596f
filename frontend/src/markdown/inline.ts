import { Lexer, type Token } from 'marked';
import { InlineTokenizer } from './inline-tokenizer.ts';
import { hostBehind } from './link-labels.ts';

/** What stands within a line. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  | InlineLink;

interface InlineLink {
  readonly kind: 'link';
  readonly href: string;
  /** Where it leads, to be shown behind a label that could be taken for another place. */
  readonly host: string | null;
  readonly children: readonly Inline[];
}

/** Every character that may begin or end something. */
const MARKS = /[\\<![\]()`*_~]|https?:\/\/|www\./giu;
/**
 * The lexer may look at the rest of the text for each mark, so its work is at most their product. What is beyond this
 * is no prose but an attack or a drawing, and both are best shown as they were typed.
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
        // What was typed as an address is its own label.
        host: token.raw.startsWith('[') ? hostBehind(token.text, token.href) : null,
        children: toInline(token.tokens ?? []),
      };
    case 'codespan':
      return { kind: 'code', text: codeOf(token.raw) };
    default:
      return { kind: 'text', text: token.raw };
  }
}

/** What stands between the backticks, lines and spaces of it, but for the one that keeps a backtick off the marks. */
function codeOf(raw: string): string {
  const marks = /^`+/.exec(raw)?.[0].length ?? 0;
  const code = raw.slice(marks, -marks);
  return /^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code;
}

/**
 * The parts of a message in which a mention counts: no code, no links, no quotes.
 *
 * The web client reads Markdown with a whole parser (frontend/src/markdown). The server needs to know only what is
 * none of these, in linear time. Where the two could differ, this leaves more out: a text that looks like code to
 * anybody calls nobody. `frontend/src/markdown/mentions.test.ts` compares the two.
 */
import { type Block, parseBlocks } from './markdown-blocks.ts';

/** The runs of plain text. Markup other than code and links is still in them. */
export function plainRuns(content: string): readonly string[] {
  return parseBlocks(content).flatMap(blockRuns);
}

function blockRuns(block: Block): readonly string[] {
  switch (block.kind) {
    case 'text':
      // Inline markup never spans a blank line.
      return block.text.split(/\n[^\S\n]*\n\s*/).flatMap(paragraphRuns);
    case 'list':
      return block.items.flatMap((item) => item.blocks.flatMap(blockRuns));
    case 'code':
    case 'quote':
      return [];
  }
}

interface Region {
  readonly start: number;
  readonly end: number;
}

function paragraphRuns(text: string): readonly string[] {
  if (!text.includes('@')) return [];
  const { spans, isUnsure } = codeSpans(text);
  const links = linkRegions(text, spans);
  const regions = [...spans, ...links.regions, ...addresses(text)];
  if (isUnsure || links.isUnsure) regions.push(...unsureRegions(text));
  return withoutRegions(text, regions);
}

/** The text between the regions. Each leaves a backtick, so that no mention begins right behind it. */
function withoutRegions(text: string, regions: readonly Region[]): readonly string[] {
  const runs: string[] = [];
  let from = 0;
  for (const { start, end } of regions.toSorted((a, b) => a.start - b.start)) {
    if (start > from) runs.push(`${from > 0 ? '`' : ''}${text.slice(from, start)}`);
    from = Math.max(from, end);
  }
  runs.push(`${from > 0 ? '`' : ''}${text.slice(from)}`);
  return runs;
}

/** A run of backticks, or a character that a backslash keeps from being a mark. */
const CODE_MARK = /\\[!-/:-@[-`{-~]|`+/g;
/** An opening or closing bracket, or an escaped character. */
const BRACKET = /\\[!-/:-@[-`{-~]|[[\]]/g;
/** Where a link leads to, from its opening parenthesis on. */
const TARGET = /\(\s*(?:<[^\n<>]*>|\S*)/y;
/** An address, and what stands in angle brackets. The characters are those of frontend/src/markdown/web-links.ts. */
const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s\\\p{Cf}<>"'`“”‘’，。！？；：、（）「」『』《》【】]+|<[a-z][^\s<>]*>/giu;
/** A parser may take the backtick for a part of a tag. */
const TAG_WITH_BACKTICK = /<(?! )[^<>`]*`[^<>]*>/;

/**
 * Code in backticks: from a run of them to the next one of the same length. `isUnsure`: a full parser may pair them
 * differently, as emphasis or a link can end within what looks like code here.
 */
function codeSpans(text: string): { readonly spans: readonly Region[]; readonly isUnsure: boolean } {
  const spans: Region[] = [];
  if (!text.includes('`')) return { spans, isUnsure: false };
  let isUnsure = TAG_WITH_BACKTICK.test(text);
  const nextRun = runFinder(text);
  const hasLinks = text.includes('](');
  const hasEmphasis = /[*_~]/.test(text);
  CODE_MARK.lastIndex = 0;
  for (let match = CODE_MARK.exec(text); match !== null; match = CODE_MARK.exec(text)) {
    const [mark] = match;
    if (mark.startsWith('\\')) continue;
    const inside = CODE_MARK.lastIndex;
    const closing = nextRun(mark.length, inside);
    const code = closing === undefined ? '' : text.slice(inside, closing);
    if (closing === undefined) {
      isUnsure ||= hasLinks;
    } else if (code.trim() === '') {
      // Backticks around nothing are shown as typed, and then the second run may open code.
      isUnsure = true;
    } else {
      isUnsure ||= code.includes('](') || code.endsWith('\\') || (hasEmphasis && code.includes('`'));
      const end = closing + mark.length;
      spans.push({ start: match.index, end });
      CODE_MARK.lastIndex = end;
    }
  }
  return { spans, isUnsure };
}

/** Finds the next run of as many backticks, from a place on that only grows: all searches together are linear. */
function runFinder(text: string): (length: number, from: number) => number | undefined {
  const byLength = new Map<number, { readonly starts: number[]; next: number }>();
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const known = byLength.get(run.length);
    if (known === undefined) byLength.set(run.length, { starts: [index], next: 0 });
    else known.starts.push(index);
  }
  return (length, from) => {
    const runs = byLength.get(length);
    if (runs === undefined) return undefined;
    while ((runs.starts[runs.next] ?? Number.POSITIVE_INFINITY) < from) runs.next++;
    return runs.starts[runs.next];
  };
}

/** Links with a label: everything from the bracket that opens the label to the end of the target. */
function linkRegions(
  text: string,
  code: readonly Region[],
): { readonly regions: readonly Region[]; readonly isUnsure: boolean } {
  const regions: Region[] = [];
  if (!text.includes('](')) return { regions, isUnsure: false };
  let isUnsure = false;
  let targetEnd = 0;
  let span = 0;
  const open: number[] = [];
  for (const { index, 0: mark } of text.matchAll(BRACKET)) {
    while ((code[span]?.end ?? Number.POSITIVE_INFINITY) <= index) span++;
    if (mark.startsWith('\\') || (code[span]?.start ?? Number.POSITIVE_INFINITY) <= index) continue;
    if (mark === '[') {
      open.push(index);
      continue;
    }
    const start = open.pop();
    if (start === undefined || text.charAt(index + 1) !== '(') continue;
    // Within the target of another link it ends where that does.
    if (index >= targetEnd) {
      TARGET.lastIndex = index + 1;
      const target = TARGET.exec(text)?.[0] ?? '';
      targetEnd = index + 1 + target.length;
      isUnsure ||= target.includes('`');
    }
    regions.push({ start, end: targetEnd });
  }
  return { regions, isUnsure };
}

function addresses(text: string): readonly Region[] {
  return [...text.matchAll(ADDRESS)].map(({ index, 0: address }) => {
    return { start: index, end: index + address.length };
  });
}

/** Every part that some pairing of the marks makes code or the label of a link. */
function unsureRegions(text: string): readonly Region[] {
  return [
    { start: text.indexOf('`'), end: text.lastIndexOf('`') + 1 },
    { start: text.indexOf('['), end: text.lastIndexOf('](') + 1 },
  ].filter(({ start, end }) => start !== -1 && end > start);
}

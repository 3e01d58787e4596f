/** Code within a line, between runs of as many backticks. */
export class CodeSpans {
  readonly #text: string;
  #nextRun: ((length: number, from: number) => number | undefined) | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The code that begins with the backticks at a place, and its end. Null: they are shown as typed, up to the end. */
  readAt(at: number): { readonly code: string | null; readonly end: number } {
    const text = this.#text;
    let inside = at;
    while (text.charAt(inside) === '`') inside++;
    this.#nextRun ??= runFinder(text);
    const closing = this.#nextRun(inside - at, inside);
    const code = closing === undefined ? '' : text.slice(inside, closing);
    // Backticks around nothing are shown as typed, and the second run may open code.
    if (closing === undefined || code.trim() === '') return { code: null, end: inside };
    return { code: withoutMargin(code), end: closing + inside - at };
  }
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

/** The text between the backticks, without the one space that separates a backtick from the marks. */
function withoutMargin(code: string): string {
  return /^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code;
}

/** Fenced code. Apart from the blocks, because the composer needs it at once. */

/**
 * A fence, and its info: a language, and attributes in braces or with a value in quotes. Other words may be code, which
 * a fence would swallow.
 */
export const FENCE =
  /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*(?:,[\w-]+)*(?:[ \t]*(?:\{[^`{}]*\}|(?<=[ \t])[\w-]+=(?:"[^"`]*"|'[^'`]*')))*)[ \t]*$/;

/** A line that opens fenced code, and the mark that closes it. */
export interface Fence {
  readonly line: string;
  readonly mark: string;
}

/** The fence that these lines open and do not close; null when there is none. */
export function openFence(lines: readonly string[]): Fence | null {
  let open: Fence | null = null;
  for (const line of lines) {
    if (open !== null) {
      if (closes(line, open.mark)) open = null;
      continue;
    }
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) open = { line, mark };
  }
  return open;
}

/** Whether a line closes code that a fence opened. */
export function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
}

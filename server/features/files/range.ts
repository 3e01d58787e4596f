/** Which bytes of a file a request wants (RFC 9110, § 14). */

export interface ByteRange {
  from: number;
  /** The first byte that is not included. */
  to: number;
}

/**
 * The range of a `Range` header. 'none': there is none, or one that a server may ignore, such as several ranges; the whole
 * file is the answer. 'unsatisfiable': nothing of the file is in it.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'none';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return 'none';
  if (from >= size) return 'unsatisfiable';
  return { from, to: last === '' ? size : Math.min(Number(last) + 1, size) };
}

/** Whether `If-None-Match` names this entity tag. */
export function isNoneMatch(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

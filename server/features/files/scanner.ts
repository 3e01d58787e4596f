/** What is asked about the bytes of a file before it may be served, where the operator wants that. */

export type ScanVerdict =
  | { kind: 'clean' }
  /** By this name. */
  | { kind: 'found'; name: string }
  /** It takes no file of this size. */
  | { kind: 'too_large' }
  /** It is there, and cannot say. */
  | { kind: 'failed'; reason: string };

export interface Scanner {
  /** Rejects while it is away: nothing is known then, and it is asked again later. */
  scan(path: string): Promise<ScanVerdict>;
}

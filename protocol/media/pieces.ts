/** A file without what it must not tell, as pieces of the old one: nothing of the size of the file is in memory. */

/** Bytes of the old file (`to` is excluded), bytes that are new, or a number of zeros. */
export type Piece =
  | { readonly from: number; readonly to: number }
  | { readonly bytes: Uint8Array }
  | { readonly zeros: number };

/** The most pieces of a file: a plan has at most 20 MB. */
export const PIECES_MAX = 250_000;

/** The pieces of a new file, in order. Neighbouring ones are joined. */
export class Pieces {
  private readonly list: Piece[] = [];
  private last: { from: number; to: number } | undefined;
  private over = false;

  keep(from: number, to: number): void {
    if (to <= from) return;
    if (this.last?.to === from) this.last.to = to;
    else {
      this.last = { from, to };
      this.push(this.last);
    }
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.push({ bytes });
    this.last = undefined;
  }

  addZeros(zeros: number): void {
    if (zeros > 0) this.push({ zeros });
    this.last = undefined;
  }

  /** Null when there are too many. */
  all(): readonly Piece[] | null {
    return this.over ? null : this.list;
  }

  private push(piece: Piece): void {
    if (this.list.length < PIECES_MAX) this.list.push(piece);
    else this.over = true;
  }
}

/** What replaces bytes of a file without moving the others: zeros, or bytes. */
export type Patch =
  | { readonly at: number; readonly bytes: Uint8Array }
  | { readonly at: number; readonly zeros: number };

/** The first `size` bytes of a file, with the patches. Where two overlap, the earlier one counts. */
export function patched(patches: readonly Patch[], size: number): readonly Piece[] | null {
  const pieces = new Pieces();
  let done = 0;
  for (const patch of patches.toSorted((a, b) => a.at - b.at)) {
    const length = 'bytes' in patch ? patch.bytes.length : patch.zeros;
    const from = Math.max(done, patch.at);
    const to = Math.min(size, patch.at + length);
    if (to <= from) continue;
    pieces.keep(done, from);
    if ('bytes' in patch) pieces.add(patch.bytes.subarray(from - patch.at, to - patch.at));
    else pieces.addZeros(to - from);
    done = to;
  }
  pieces.keep(done, size);
  return pieces.all();
}

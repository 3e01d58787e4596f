/** Counts a marker in a stream without parsing it, also across chunks. */

export class MarkerSearch {
  readonly #marker: Buffer;
  /** The end of the last chunk and the beginning of the next, where a marker may be split. */
  readonly #seam: Buffer;
  #tail = 0;

  constructor(marker: string) {
    this.#marker = Buffer.from(marker, 'latin1');
    this.#seam = Buffer.alloc(2 * (this.#marker.length - 1));
  }

  /** Counts the markers that end within the next `length` bytes of the stream. */
  take(bytes: Buffer, length: number): number {
    let found = this.#inSeam(bytes, length) ? 1 : 0;
    const chunk = bytes.subarray(0, length);
    for (
      let at = chunk.indexOf(this.#marker);
      at >= 0;
      at = chunk.indexOf(this.#marker, at + this.#marker.length)
    ) {
      found++;
    }
    this.#keepTail(chunk);
    return found;
  }

  #inSeam(bytes: Buffer, length: number): boolean {
    if (this.#tail === 0) return false;
    const head = Math.min(length, this.#marker.length - 1);
    bytes.copy(this.#seam, this.#tail, 0, head);
    return this.#seam.subarray(0, this.#tail + head).includes(this.#marker);
  }

  #keepTail(chunk: Buffer): void {
    const wanted = this.#marker.length - 1;
    if (chunk.length >= wanted) {
      chunk.copy(this.#seam, 0, chunk.length - wanted);
      this.#tail = wanted;
      return;
    }
    const joined = Buffer.concat([this.#seam.subarray(0, this.#tail), chunk]).subarray(-wanted);
    joined.copy(this.#seam);
    this.#tail = joined.length;
  }
}

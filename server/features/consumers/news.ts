/** Rooms with news, the number that each has reached, and how long the oldest of them has waited. */
export class News extends Map<number, number> {
  /** In ascending order. */
  readonly #since = new Map<number, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    super();
    this.#now = now;
  }

  override set(roomId: number, seq: number): this {
    if (!this.#since.has(roomId)) this.#since.set(roomId, this.#now());
    return super.set(roomId, seq);
  }

  override delete(roomId: number): boolean {
    this.#since.delete(roomId);
    return super.delete(roomId);
  }

  override clear(): void {
    this.#since.clear();
    super.clear();
  }

  /** The room was worked through up to this number: what it has beyond that came meanwhile. */
  done(roomId: number, upTo: number): void {
    const seq = this.get(roomId) ?? 0;
    this.delete(roomId);
    if (seq > upTo) this.set(roomId, seq);
  }

  /** Milliseconds; 0: nothing waits. */
  get lagMs(): number {
    const [oldest] = this.#since.values();
    return oldest === undefined ? 0 : this.#now() - oldest;
  }
}

/** What the two threads have found out about the database, for the readiness check and the operator. */

/** After a write that a full disk refused, the database counts as full for this time, or until a message is stored. */
const FULL_FOR_MS = 2000;

export class Health {
  readonly #onWarning: (message: string) => void;
  #damage: string | undefined;
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(onWarning: (message: string) => void) {
    this.#onWarning = onWarning;
  }

  /** Takes note of an operation that failed with SQLite's `code`. Damage is reported once. */
  failed({ code, error }: { code: string; error: string }): void {
    if (code === 'SQLITE_FULL') this.#fullAt = performance.now();
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code) || this.#damage !== undefined) return;
    this.#damage = `the database is damaged: ${error}`;
    this.#onWarning(
      `${this.#damage}. Stop the server, copy the data folder, and restore a backup (docs/OPERATIONS.md)`,
    );
  }

  /** A message was stored, so there is space. */
  stored(): void {
    this.#fullAt = Number.NEGATIVE_INFINITY;
  }

  /** Why the database should get no traffic. A small write may succeed in spite of it. */
  complaint(): string | undefined {
    if (this.#damage !== undefined) return this.#damage;
    return performance.now() - this.#fullAt < FULL_FOR_MS ? 'the disk is full' : undefined;
  }
}

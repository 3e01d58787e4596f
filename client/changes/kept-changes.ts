/**
 * The changes that are shown: those that wait, which the device keeps for all tabs, and those that the server has
 * confirmed a moment ago.
 */
import type { Clock } from '../clock.ts';
import type { Change } from './change.ts';
import type { ChangesStore } from './changes-store.ts';

export interface KeptChangesOptions {
  readonly store: ChangesStore;
  readonly onChange: (changes: readonly Change[]) => void;
  readonly clock: Clock;
}

/** A confirmed change is shown for this long at most: the event that confirms it to all may come after the response. */
const SHOWN_AFTER_MS = 2000;

export class KeptChanges {
  readonly #options: KeptChangesOptions;
  readonly #items = new Map<string, Change>();
  /** Changes that the server has confirmed a moment ago. */
  readonly #done = new Map<string, Change>();
  /** The keys of those that the store could not take. They live as long as the page. */
  readonly #unstored = new Set<string>();
  /** How often this tab has changed what is stored. */
  #writes = 0;
  #isClosed = false;

  constructor(options: KeptChangesOptions) {
    this.#options = options;
  }

  /** All that wait or were confirmed a moment ago, in the order in which they were made. */
  get all(): readonly Change[] {
    const done = [...this.#done.values()].filter(({ key }) => !this.#items.has(key));
    return inOrder([...this.#items.values(), ...done]);
  }

  /** Those that wait, in the same order. */
  get waiting(): readonly Change[] {
    return inOrder([...this.#items.values()]);
  }

  /** It waits, and no later state of the same thing has replaced it. */
  isLatest({ key, createdAt }: Change): boolean {
    return this.#items.get(key)?.createdAt === createdAt;
  }

  put(change: Change): void {
    this.#items.set(change.key, change);
    this.#done.delete(change.key);
    this.#unstored.delete(change.key);
    this.#writes += 1;
    void this.#options.store.put(change).catch(() => this.#unstored.add(change.key));
    this.#changed();
  }

  /** Resolves when it is off the device, so that no other tab sends it again. */
  async remove(key: string): Promise<void> {
    if (!this.#items.delete(key)) return;
    this.#unstored.delete(key);
    this.#writes += 1;
    const stored = this.#options.store.delete(key).catch(ignore);
    this.#changed();
    await stored;
  }

  /** Shows a change for a moment after it is removed. `seq`: of the confirmed change; null: not known yet. */
  showConfirmed(change: Change, seq: number | null): void {
    const { key } = change;
    this.#done.set(key, withSeq({ ...change, confirmed: true }, seq));
    this.#options.clock.after(SHOWN_AFTER_MS, () => {
      if (this.#isShown(change) && this.#done.delete(key)) this.#changed();
    });
  }

  /** The `seq` of a change that is shown as confirmed is known by now. */
  foundSeq(change: Change, seq: number): void {
    const done = this.#done.get(change.key);
    if (done === undefined || !this.#isShown(change)) return;
    this.#done.set(change.key, withSeq(done, seq));
    this.#changed();
  }

  /** Takes over what the store has: what an earlier visit has left, and what other tabs have changed. */
  async read(): Promise<void> {
    for (;;) {
      const writes = this.#writes;
      const loaded = await this.#options.store.load().catch(() => null);
      if (loaded === null || this.#isClosed) return;
      // It may lack what this tab has written meanwhile.
      if (writes !== this.#writes) continue;
      for (const key of [...this.#items.keys()]) if (!this.#unstored.has(key)) this.#items.delete(key);
      for (const change of loaded) this.#items.set(change.key, change);
      return this.#changed();
    }
  }

  /** Deletes those that wait. */
  async clear(): Promise<void> {
    this.#items.clear();
    this.#writes += 1;
    await this.#options.store.clear().catch(ignore);
  }

  close(): void {
    this.#isClosed = true;
    this.#options.store.close();
  }

  #isShown({ key, createdAt }: Change): boolean {
    return this.#done.get(key)?.createdAt === createdAt;
  }

  #changed(): void {
    if (!this.#isClosed) this.#options.onChange(this.all);
  }
}

function inOrder(changes: Change[]): readonly Change[] {
  return changes.sort((a, b) => a.createdAt - b.createdAt);
}

function withSeq(change: Change, seq: number | null): Change {
  return seq === null ? change : { ...change, seq };
}

function ignore(): void {}

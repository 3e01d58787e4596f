/**
 * Numbers that a room's log has left out, because later changes of their messages superseded them before they were
 * read. A message whose own number was left out is still new when it comes.
 */
import type { MessageRow } from '../../../data/storage/store.ts';

/** Beyond this, the oldest are forgotten. */
const MAX_NUMBERS = 5000;

export class LeftOut {
  #numbers: Set<number> | null = null;

  /** Called for each row in order; `before` is the number that it follows. Returns whether its message is new. */
  pass({ seq, changedSeq }: Pick<MessageRow, 'seq' | 'changedSeq'>, before: number): boolean {
    for (let number = Math.max(before + 1, changedSeq - MAX_NUMBERS); number < changedSeq; number++)
      this.#add(number);
    if (seq === changedSeq) return true;
    const isNew = this.#numbers?.delete(seq) ?? false;
    if (this.#numbers?.size === 0) this.#numbers = null;
    return isNew;
  }

  #add(number: number): void {
    this.#numbers ??= new Set();
    this.#numbers.add(number);
    const [oldest] = this.#numbers;
    if (this.#numbers.size > MAX_NUMBERS && oldest !== undefined) this.#numbers.delete(oldest);
  }
}

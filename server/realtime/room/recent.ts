/** A room's last messages, kept ready for those who come back after a short while: no database is asked for them. */
import { toMessage } from '../../messages/messages.ts';
import type { MessageRow } from '../../storage/store.ts';

interface Limits {
  messages: number;
  characters: number;
}

const LIMITS: Limits = { messages: 256, characters: 32 * 1024 };
/** While somebody reads what they missed: a busy room must not run away from them. */
const LIMITS_WHILE_AWAITED: Limits = { messages: 4096, characters: 1024 * 1024 };

interface Kept {
  seq: number;
  /** The message as every v2 socket gets it. */
  json: string;
}

export class Recent {
  #kept: Kept[] = [];
  #characters = 0;

  /** Each message's seq follows on the one before. `isAwaited`: somebody will ask for it soon. Returns its JSON. */
  push(message: MessageRow, isAwaited = false): string {
    const json = JSON.stringify(toMessage(message));
    this.#kept.push({ seq: message.seq, json });
    this.#characters += json.length;
    this.#forget(isAwaited ? LIMITS_WHILE_AWAITED : LIMITS);
    return json;
  }

  /** The messages after `seq` up to the last one, or null when some of them are not kept any more. */
  after(seq: number, last: number): string[] | null {
    if (seq >= last) return [];
    const first = this.#kept[0];
    if (!first || first.seq > seq + 1) return null;
    return this.#kept.slice(seq + 1 - first.seq).map(({ json }) => json);
  }

  #forget({ messages, characters }: Limits): void {
    while (this.#kept.length > messages || this.#characters > characters) {
      this.#characters -= this.#kept.shift()?.json.length ?? 0;
    }
  }
}

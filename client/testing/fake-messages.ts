/** The requests about messages, as a test has them answered. */
import type { Message } from '../../protocol/events.ts';
import { ApiError } from '../api/api-error.ts';
import type { MessagesApi } from '../api/messages-api.ts';
import { message } from './messages.ts';

/** Notes what is asked for, and responds as the test says. */
export class FakeMessages {
  readonly asked: string[] = [];
  /** The failures of the next requests, the first first; without one they succeed. */
  readonly failures: (ApiError | Promise<void>)[] = [];
  present: Message = message(1, { content: 'theirs', revision: 1, changed_seq: 9 });

  readonly api: MessagesApi = {
    get: async () => this.present,
    edit: async (_room, id, content, base) => {
      await this.#ask(`edit ${id} ${content} on ${base}`);
      return this.present;
    },
    delete: (_room, id, { keepalive } = {}) => this.#ask(`delete ${id}${keepalive ? ' keepalive' : ''}`),
    setReaction: (_room, id, emoji, on) => this.#ask(`${emoji} ${id} ${on ? 'on' : 'off'}`),
    setPin: (_room, id, on) => this.#ask(`pin ${id} ${on ? 'on' : 'off'}`),
    setSaved: (_room, id, on) => this.#ask(`saved ${id} ${on ? 'on' : 'off'}`),
    removePreviews: (_room, id) => this.#ask(`previews ${id} off`),
    revisions: async () => [],
    reactions: async () => [],
    pins: async () => [],
    saved: async () => ({ saved: [], has_more: false }),
  };

  async #ask(what: string): Promise<void> {
    this.asked.push(what);
    const failure = this.failures.shift();
    if (failure instanceof ApiError) throw failure;
    await failure;
  }
}

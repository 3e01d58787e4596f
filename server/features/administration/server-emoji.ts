/** Emoji of the server: small pictures that are written as `:name:`. */
import { AppError } from '../../../protocol/errors.ts';
import { SERVER_EMOJI_MAX } from '../../../protocol/limits.ts';
import type { ServerEmoji as Emoji } from '../../../protocol/rest/emoji.ts';
import type { EmojiRow, Store } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { isStandardEmoji } from '../../rules/names/standard-emoji.ts';
import type { Pictures } from '../files/pictures.ts';
import type { Incoming } from '../files/uploads.ts';
import { FreshValue } from './fresh-value.ts';

export interface ServerEmojiOptions {
  store: Pick<Store, 'addEmoji' | 'deleteEmoji' | 'serverEmoji' | 'emojiStamp'>;
  pictures: Pick<Pictures, 'take'>;
  /** Counts changes, by user; undefined: no limit. */
  changes: Limiter | undefined;
  /** Unix milliseconds. */
  now: () => number;
}

export class ServerEmoji {
  readonly #options: ServerEmojiOptions;
  readonly #stamp: FreshValue<string | undefined>;

  constructor(options: ServerEmojiOptions) {
    const { store, now } = options;
    this.#options = options;
    this.#stamp = new FreshValue<string | undefined>(undefined, () => store.emojiStamp(), now);
  }

  async list(): Promise<Emoji[]> {
    return (await this.#options.store.serverEmoji()).map(toEmoji);
  }

  /**
   * Another text whenever they have changed; undefined: there are none. Never rejects: without a database it is the
   * last one known.
   */
  async stamp(): Promise<string | undefined> {
    return await this.#stamp.current();
  }

  /** Throws `emoji_name_taken` also for the name of an emoji of Unicode, as completion and pickers know it. */
  async add(userId: number, name: string, incoming: Incoming): Promise<Emoji> {
    const { store, pictures, changes, now } = this.#options;
    await takeOrRefuse(changes, String(userId));
    if (isStandardEmoji(name)) throw new AppError('emoji_name_taken');
    return await pictures.take(userId, 'emoji', incoming, async (key) => {
      const row: EmojiRow = { name, key, createdBy: userId, createdAt: now() };
      const { outcome } = await store.addEmoji({
        ...{ actorId: userId, name, key, most: SERVER_EMOJI_MAX, now: row.createdAt },
      });
      if (outcome !== 'added') throw new AppError(outcome === 'not_ready' ? 'invalid_picture' : outcome);
      this.#stamp.forget();
      return toEmoji(row);
    });
  }

  async delete(userId: number, name: string): Promise<void> {
    const { store, changes, now } = this.#options;
    await takeOrRefuse(changes, String(userId));
    const { outcome } = await store.deleteEmoji({ actorId: userId, name, now: now() });
    if (outcome !== 'deleted') throw new AppError(outcome);
    this.#stamp.forget();
  }
}

function toEmoji({ name, key, createdBy, createdAt }: EmojiRow): Emoji {
  return { name, key, created_by: createdBy, created_at: new Date(createdAt).toISOString() };
}

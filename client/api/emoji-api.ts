/** Requests about the emoji of the server. Not part of `ChatApi`, so that a page loads it when needed. */
import type { ServerEmoji, ServerEmojiList } from '../../protocol/rest/emoji.ts';
import { checkedPaths } from './checked-paths.ts';
import { isNatural, isText, listOf, some } from './checks.ts';
import type { Requests } from './requests.ts';

/** Every method rejects with an `ApiError`. */
export interface EmojiApi {
  /** By name. The picture is at `filePath(key, name)`. */
  list(): Promise<readonly ServerEmoji[]>;
  /** `picture`: at most 256 KiB and 512 × 512. 403 for guests; 409 when an emoji has this name, or there are too many. */
  add(name: string, picture: Blob): Promise<ServerEmoji>;
  /** One that the user has added; an admin deletes any. */
  delete(name: string): Promise<void>;
}

const isEmoji = some<ServerEmoji>({ name: isText, key: isText, created_by: isNatural });
const isList = some<ServerEmojiList>({ emoji: listOf(isEmoji) });

/** `requests`: those of `ChatClient.api`. */
export function emojiApi(requests: Requests): EmojiApi {
  const { ask, tell } = checkedPaths(requests);
  return {
    list: async () => (await ask('GET', '/emoji', isList)).emoji,
    add: (name, picture) => ask('PUT', `/emoji/${name}`, isEmoji, picture),
    delete: (name) => tell('DELETE', `/emoji/${name}`),
  };
}

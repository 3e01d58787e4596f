/** Emoji of the server: each is a picture with a name. Its reactions outlive it. */

export interface EmojiRow {
  name: string;
  /** Of a file. */
  key: string;
  /** The person who added it, also after the removal of the account. */
  createdBy: number;
  createdAt: number;
}

interface EmojiByActor {
  actorId: number;
  name: string;
  now: number;
}

export interface EmojiWrites {
  /**
   * `key`: of a picture that the actor uploaded for this, and that is ready; with `not_ready` there is none. At most
   * `most` emoji.
   */
  addEmoji(
    emoji: EmojiByActor & { key: string; most: number },
  ): { outcome: 'added' } | { outcome: 'not_allowed' | 'emoji_name_taken' | 'too_many' | 'not_ready' };
  /** Its picture is gone with this write. The audit log has it where it is of somebody else. */
  deleteEmoji(emoji: EmojiByActor): { outcome: 'deleted' | 'not_allowed' | 'emoji_not_found' };
}

export interface EmojiReads {
  /** By name. */
  serverEmoji(): EmojiRow[];
  /** Another text whenever the emoji have changed; undefined: there are none. */
  emojiStamp(): string | undefined;
}

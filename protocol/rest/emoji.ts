/** Emoji of the server: small pictures that are written as `:name:`. */
import { z } from 'zod';
import { fileKey } from '../attached-files.ts';
import { id, time } from '../fields.ts';
import { isEmojiName } from '../names.ts';

/** `key`: of the picture, at `/files/<key>/<name>`. `created_by`: the person who added it. */
export const serverEmoji = z.object({
  name: z.string().refine(isEmojiName),
  key: fileKey,
  created_by: id,
  created_at: time,
});

/** By name. */
export const emojiResponse = z.object({ emoji: z.array(serverEmoji) });

export type ServerEmoji = z.infer<typeof serverEmoji>;
export type ServerEmojiList = z.infer<typeof emojiResponse>;

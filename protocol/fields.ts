/** Fields that frames and REST shapes share. */
import { z } from 'zod';
import { MAX_ID } from './limits.ts';
import { isEmoji, isReaction, nameOfEmoji } from './names.ts';
import { qualifiedEmoji } from './qualified-emoji.ts';
import { isMessageContent } from './text.ts';

export const id = z.int().min(1).max(MAX_ID);
export const count = z.int().min(0);
/** A position in a room's log, or in a user's: 0 is before the first event. */
export const seq = z.int().min(0).max(MAX_ID);
export const messageContent = z.string().refine(isMessageContent);
/** The content of a message that has, or may have, files: it may be empty. */
export const fileMessageContent = z.string().refine((text) => text === '' || isMessageContent(text));
/** A time, RFC 3339, UTC, milliseconds. */
export const time = z.iso.datetime({ precision: 3 });
export const emoji = z.string().refine(isEmoji);
/** What people have reacted with: an emoji, or one of the server as `:name:`, which may be gone by now. */
export const shownReaction = z.string().refine((text) => isEmoji(text) || nameOfEmoji(text) !== null);
/** What a user reacts with. It is read in its fully-qualified form. */
export const reaction = z.string().refine(isReaction).transform(qualifiedEmoji);

/** What the lines of a room's export may have. The columns' types are checked before (`lines.ts`). */
import { z } from 'zod';
import { fileBlur, fileKey } from '../../../protocol/attached-files.ts';
import { count, id } from '../../../protocol/fields.ts';
import {
  DISPLAY_NAME_MAX,
  FILE_ALT_MAX,
  RESTRICTED_WITHOUT_END,
  ROOM_DESCRIPTION_MAX,
  ROOM_NAME,
  ROOM_TOPIC_MAX,
  USERNAME,
} from '../../../protocol/limits.ts';
import { hasFormOfEmoji, manyLines, nameOfEmoji, oneLine } from '../../../protocol/names.ts';
import { filePurpose } from '../../../protocol/rest/files.ts';
import { roomHue, roomRole, roomSettings } from '../../../protocol/rooms.ts';
import { codePointLength, isCid, isStoredContent } from '../../../protocol/text.ts';
import { readJson } from './room-ids.ts';

const DAY_MS = 86_400_000;

/** Numbers of a log, with room above them for all that will be written. */
const number = z.int().min(0).max(1_000_000_000_000_000);
/** A clock may be ahead, but not by more than a day: new messages are never older than the room's last one. */
const past = z
  .int()
  .min(0)
  .refine((ms) => ms <= Date.now() + DAY_MS, 'it lies in the future');
const until = z.int().min(0).max(RESTRICTED_WITHOUT_END).nullable();
const content = z.string().refine((text) => text === '' || isStoredContent(text), 'no message may have it');

/** Earlier versions took flags of no region. */
const emoji = z.string().refine(hasFormOfEmoji, 'it is no emoji');
/** One of the exporting server may be missing here: it is shown as its name. */
const reaction = z
  .string()
  .refine((text) => hasFormOfEmoji(text) || nameOfEmoji(text) !== null, 'it is no emoji');

function asStored(normalize: (raw: string) => string | null) {
  return z.string().refine((text) => text === '' || normalize(text) === text, 'it is not allowed');
}

// Of names only the lengths: whoever is matched by an older name keeps it, and new names are checked where they are
// made.
function name({ max }: { max: number }) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !text.includes('\0') && codePointLength(text) <= max, 'no name');
}

export const userRow = z.strictObject({
  id,
  username: name(USERNAME),
  display_name: asStored((raw) => oneLine(raw, DISPLAY_NAME_MAX)),
  kind: z.enum(['person', 'bot', 'removed']),
});

export const roomRow = z.strictObject({
  id,
  kind: z.enum(['public', 'private'], 'direct conversations and deleted rooms cannot be imported'),
  name: name(ROOM_NAME),
  name_key: z.string(),
  search_key: z.string(),
  name_form: count,
  topic: asStored((raw) => oneLine(raw, ROOM_TOPIC_MAX)),
  description: asStored((raw) => manyLines(raw, ROOM_DESCRIPTION_MAX)),
  emoji: emoji.nullable(),
  hue: roomHue.nullable(),
  owner_id: id,
  is_default: z.literal([0, 1]),
  created_at: past,
  archived_at: past.nullable(),
  deleted_at: z.null(),
  last_at: past,
  members: count,
  number,
  seq: number,
  state_seq: number,
  settings: z.string(),
});

export const memberRow = z.strictObject({
  user_id: id,
  room_id: id,
  role: roomRole,
  joined_at: past,
  left_at: past.nullable(),
  silenced_until: until,
  banned_until: until,
});

export const messageRow = z.strictObject({
  id,
  room_id: id,
  user_id: id,
  kind: z.literal([0, 1]),
  content,
  created_at: past,
  edited_at: past.nullable(),
  deleted_at: past.nullable(),
  pinned_at: past.nullable(),
  deleted_by: id.nullable(),
  seq: number.min(1),
  changed_seq: number,
  number,
  cid: z.string().refine(isCid).nullable(),
  revision: count.max(1_000_000_000),
  reply_to: id.nullable(),
  thread_id: id.nullable(),
  thread_last_seq: number.nullable(),
  extra: z.string().nullable(),
});

export const revisionRow = z.strictObject({
  room_id: id,
  message_id: id,
  revision: count,
  content: z.string().refine(isStoredContent, 'no message may have it'),
  edited_at: past,
});

export const reactionRow = z.strictObject({
  room_id: id,
  message_id: id,
  emoji: reaction,
  user_id: id,
  created_at: past,
});

export const fileRow = z.strictObject({
  id,
  key: fileKey,
  purpose: filePurpose,
  owner_id: id,
  room_id: id,
  message_id: id,
  of_key: fileKey.nullable(),
  name: z.string(),
  type: z.string(),
  size: count,
  sha256: z.string().nullable(),
  info: z.string(),
  state: z.enum(['ready', 'checking', 'refused']),
  created_at: past,
});

/** What is known of a file. What the bytes say is found anew. */
const fileInfo = z.object({
  alt: z
    .string()
    .refine((text) => oneLine(text, FILE_ALT_MAX) === text)
    .optional(),
  blur: fileBlur.optional(),
  kind: z.string().optional(),
  width: count.optional(),
  height: count.optional(),
  frames: count.optional(),
  duration_ms: count.optional(),
  reason: z.string().optional(),
});

export type FileRow = z.infer<typeof fileRow>;
export type UserRow = z.infer<typeof userRow>;
export type RoomRow = z.infer<typeof roomRow>;
export type MemberRow = z.infer<typeof memberRow>;
export type MessageRow = z.infer<typeof messageRow>;
export type RevisionRow = z.infer<typeof revisionRow>;
export type ReactionRow = z.infer<typeof reactionRow>;

/** Throws `Wrong`. */
export function checkSettings({ settings }: RoomRow): void {
  readJson('settings', settings, roomSettings);
}

/** Throws `Wrong`. */
export function checkInfo({ info }: FileRow): void {
  readJson('info', info, fileInfo);
}

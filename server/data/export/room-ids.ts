/** The ids that texts and notices hold in their JSON (`messages.extra`), which an import gives anew. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { AttachedFile } from '../../../protocol/attached-files.ts';
import { extraSchema, type MessageExtra } from '../../../protocol/events.ts';
import {
  MENTIONED_MAX,
  REACTION_PEOPLE,
  REACTIONS_MAX,
  THREAD_PEOPLE,
  THREAD_TITLE_MAX,
} from '../../../protocol/limits.ts';
import type { LinkPreview } from '../../../protocol/link-previews.ts';
import { oneLine } from '../../../protocol/names.ts';
import { type Notice, noticeSchema } from '../../../protocol/notices.ts';
import { NOTICE } from '../storage/queries/message-rows.ts';
import { Wrong } from './wrong.ts';

/** UTF-16 units of any text in the JSON of a notice; a room's description is the longest. */
const TEXT_MAX = 4000;

/** What becomes of the ids. */
export interface Ids {
  user(id: number): number;
  message(id: number): number;
  files(files: AttachedFile[]): AttachedFile[];
  previews(previews: LinkPreview[]): LinkPreview[];
}

/** The same with other ids; the order of the fields stays, so that the JSON has the same form. */
export function mapExtra(extra: MessageExtra, { user, message, files, previews }: Ids): MessageExtra {
  const mapped = { ...extra };
  if (extra.reply_to)
    mapped.reply_to = {
      ...extra.reply_to,
      id: message(extra.reply_to.id),
      user_id: user(extra.reply_to.user_id),
    };
  if (extra.thread) mapped.thread = { ...extra.thread, people: extra.thread.people.map(user) };
  if (extra.reactions)
    mapped.reactions = extra.reactions.map((one) => ({ ...one, user_ids: one.user_ids.map(user) }));
  if (extra.files) mapped.files = files(extra.files);
  if (extra.previews) mapped.previews = previews(extra.previews);
  if (extra.mentions) mapped.mentions = extra.mentions.map(user);
  return mapped;
}

/** The same with other ids. The names in it stay those of their time. */
export function mapNotice(notice: Notice, { user }: Pick<Ids, 'user'>): Notice {
  const by = { ...notice.by, user_id: user(notice.by.user_id) };
  if (!('member' in notice)) return { ...notice, by };
  return { ...notice, by, member: { ...notice.member, user_id: user(notice.member.user_id) } };
}

/** The people whom a stored `extra` names. What is no JSON of a message names nobody. */
export function peopleIn(kind: number, stored: string): number[] {
  const people: number[] = [];
  const collect: Ids = {
    user(id) {
      if (Number.isSafeInteger(id)) people.push(id);
      return id;
    },
    message: (id) => id,
    files: (files) => files,
    previews: (previews) => previews,
  };
  try {
    const found: unknown = JSON.parse(stored);
    if (kind === NOTICE) mapNotice(found as Notice, collect);
    else mapExtra(found as MessageExtra, collect);
  } catch {
    return [];
  }
  return people;
}

/** Throws `Wrong` unless it is what a text may have. */
export function readExtra(stored: string): MessageExtra {
  const extra = readJson('extra', stored, extraSchema);
  const { thread, reactions = [], mentions = [] } = extra;
  const emojis = new Set(reactions.map(({ emoji }) => emoji));
  if (
    mentions.length > MENTIONED_MAX ||
    reactions.length > REACTIONS_MAX ||
    emojis.size < reactions.length ||
    reactions.some(({ count, user_ids: ids }) => ids.length > Math.min(REACTION_PEOPLE, count)) ||
    (thread && thread.people.length > THREAD_PEOPLE) ||
    (thread?.title !== undefined && oneLine(thread.title, THREAD_TITLE_MAX) !== thread.title)
  )
    throw new Wrong('"extra" has more than a message may have');
  return extra;
}

/** Throws `Wrong` unless it is a notice. */
export function readNotice(stored: string | null): Notice {
  if (stored === null) throw new Wrong('"extra" of a notice must not be null');
  return readJson('extra', stored, noticeSchema);
}

/** JSON that has this form and nothing else. Throws `Wrong`. */
export function readJson<Schema extends z.ZodType>(
  field: string,
  stored: string,
  schema: Schema,
): z.infer<Schema> {
  let found: unknown;
  try {
    found = JSON.parse(stored, (_, value: unknown) => {
      if (typeof value === 'string') checkText(field, value);
      return value;
    });
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong(`"${field}" is not JSON`);
  }
  const { data, error } = schema.safeParse(found);
  if (error) {
    const [issue] = error.issues;
    throw new Wrong(`"${field}" is not allowed: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  // The schema drops what it does not know. The order of the fields is that of the file.
  if (!isDeepStrictEqual(data, found)) throw new Wrong(`"${field}" has a field that is not known`);
  return found as z.infer<Schema>;
}

/** PostgreSQL stores no NUL, and neither database a half of a character. */
function checkText(field: string, text: string): void {
  if (text.length > TEXT_MAX || text.includes('\0') || !text.isWellFormed())
    throw new Wrong(`"${field}" has a text that is too long or not allowed`);
}

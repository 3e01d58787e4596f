/** The REST interface under `/api/v1`: the shapes of requests and of answers. Times are RFC 3339, UTC, milliseconds. */
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { HISTORY_PAGE, MAX_ID, ROOMS_PAGE } from './limits.ts';
import { normalizePassword, normalizeRoomName, normalizeUsername, parseId } from './text.ts';

export { API_PREFIX } from './constants.ts';

const id = z.int().min(1).max(MAX_ID);

/** A string that `normalize` accepts, in its normal form. */
function textOf(normalize: (raw: string) => string | null) {
  return z.string().transform((raw, context) => {
    const text = normalize(raw);
    if (text !== null) return text;
    context.addIssue({ code: 'custom', message: 'not allowed' });
    return z.NEVER;
  });
}

/** Any credential somebody may type: what breaks the rules of registration is a wrong credential, not a bad request. */
const typedText = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));

export const registerBody = z.object({
  username: textOf(normalizeUsername),
  password: textOf(normalizePassword),
});
export const loginBody = z.object({ username: typedText, password: typedText });
export const refreshBody = z.object({ refresh_token: typedText });
export const logoutBody = refreshBody;
export const createRoomBody = z.object({ name: textOf(normalizeRoomName) });
export const ticketBody = z.object({ room_id: id });

/** A query integer: plain digits, given once. The issue's message is the code of the refusal. */
function queryInteger(code: ErrorCode, max: number) {
  const parameter = z.unknown().optional();
  return parameter.transform((raw, context) => {
    if (raw === undefined) return undefined;
    const value = typeof raw === 'string' ? parseId(raw) : null;
    if (value !== null && value <= max) return value;
    context.addIssue({ code: 'custom', message: code });
    return z.NEVER;
  });
}

export const historyQuery = z
  .object({
    limit: queryInteger('invalid_limit', HISTORY_PAGE.max),
    before_id: queryInteger('invalid_before_id', MAX_ID),
    after_id: queryInteger('invalid_after_id', MAX_ID),
  })
  .refine((query) => query.before_id === undefined || query.after_id === undefined, {
    error: 'invalid_after_id' satisfies ErrorCode,
  });

export const roomsQuery = z.object({
  limit: queryInteger('invalid_limit', ROOMS_PAGE.max),
  before_id: queryInteger('invalid_before_id', MAX_ID),
  q: z.string().max(512).optional(),
});

export const userSchema = z.object({ id, username: z.string() });
export const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.int(),
});
export const loginAnswer = tokensSchema.extend({ user: userSchema });
export const roomSchema = z.object({ id, name: z.string(), online: z.int().min(0), seq: z.int().min(0) });
export const roomsAnswer = z.object({ rooms: z.array(roomSchema) });
export const messageSchema = z.object({
  type: z.literal('message'),
  id,
  room_id: id,
  user_id: id,
  username: z.string(),
  content: z.string(),
  created_at: z.string(),
  /** The room's number for this event: from 1, without gaps. */
  seq: z.int().min(1),
  cid: z.string().optional(),
});
export const historyAnswer = z.object({ messages: z.array(messageSchema), has_more: z.boolean() });
export const ticketAnswer = z.object({ ticket: z.string(), expires_in: z.int() });

export type User = z.infer<typeof userSchema>;
export type Tokens = z.infer<typeof tokensSchema>;
export type LoginAnswer = z.infer<typeof loginAnswer>;
export type Room = z.infer<typeof roomSchema>;
export type Message = z.infer<typeof messageSchema>;
export type HistoryPage = z.infer<typeof historyAnswer>;
export type Ticket = z.infer<typeof ticketAnswer>;

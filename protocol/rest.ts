/** The REST interface under `/api/v1`: requests and responses. Times are RFC 3339, UTC, milliseconds. */
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { messageSchema } from './events.ts';
import { id } from './fields.ts';
import { HISTORY_PAGE, MAX_ID, ROOMS_PAGE } from './limits.ts';
import { roomSchema } from './rooms.ts';
import { normalizePassword, normalizeRoomName, normalizeUsername, parseId } from './text.ts';

/** A string that `normalize` accepts, in its normal form. */
function textOf(normalize: (raw: string) => string | null) {
  return z.string().transform((raw, context) => {
    const text = normalize(raw);
    if (text !== null) return text;
    context.addIssue({ code: 'custom', message: 'not allowed' });
    return z.NEVER;
  });
}

/** Any credential that a user may type. One that breaks the registration rules is wrong, not malformed. */
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

/** An issue's message and params; the params carry the error code of the response (`ErrorOfIssue`). */
function refusedWith(errorCode: ErrorCode) {
  return { message: errorCode, params: { errorCode } satisfies ErrorOfIssue };
}

export interface ErrorOfIssue {
  errorCode: ErrorCode;
}

/** An optional query parameter: an integer in plain digits, given at most once. */
function queryInteger(code: ErrorCode, max: number) {
  const parameter = z.unknown().optional();
  return parameter.transform((raw, context) => {
    if (raw === undefined) return undefined;
    const value = typeof raw === 'string' ? parseId(raw) : null;
    if (value !== null && value <= max) return value;
    context.addIssue({ code: 'custom', ...refusedWith(code) });
    return z.NEVER;
  });
}

export const historyQuery = z
  .object({
    limit: queryInteger('invalid_limit', HISTORY_PAGE.max),
    before_id: queryInteger('invalid_before_id', MAX_ID),
    after_id: queryInteger('invalid_after_id', MAX_ID),
  })
  .refine(
    (query) => query.before_id === undefined || query.after_id === undefined,
    refusedWith('invalid_after_id'),
  );

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
export const loginResponse = tokensSchema.extend({ user: userSchema });
export const roomsResponse = z.object({ rooms: z.array(roomSchema) });
export const historyResponse = z.object({ messages: z.array(messageSchema), has_more: z.boolean() });
export const ticketResponse = z.object({ ticket: z.string(), expires_in: z.int() });

export type User = z.infer<typeof userSchema>;
export type Tokens = z.infer<typeof tokensSchema>;
export type LoginResponse = z.infer<typeof loginResponse>;
export type HistoryPage = z.infer<typeof historyResponse>;
export type Ticket = z.infer<typeof ticketResponse>;

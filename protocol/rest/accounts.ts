/** Accounts, tokens and tickets: requests and responses. */
import { z } from 'zod';
import { id } from '../fields.ts';
import { normalizePassword, normalizeUsername } from '../names.ts';
import { textOf, typedText } from './fields.ts';

export const registerBody = z.object({
  username: textOf(normalizeUsername),
  password: textOf(normalizePassword),
  /** The code of an invitation to a room, which the new user joins. */
  invite: z.string().max(128).optional(),
});
export const loginBody = z.object({ username: typedText, password: typedText });
export const refreshBody = z.object({ refresh_token: typedText });
export const logoutBody = refreshBody;
/** A ticket for one room opens `chatroom.v1`; a ticket of the user opens `chatroom.v2`, for all rooms. */
export const ticketBody = z.union([z.object({ scope: z.literal('user') }), z.object({ room_id: id })]);

export const userSchema = z.object({ id, username: z.string() });
export const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.int(),
});
export const loginResponse = tokensSchema.extend({ user: userSchema });
export const ticketResponse = z.object({ ticket: z.string(), expires_in: z.int() });

export type User = z.infer<typeof userSchema>;
export type Tokens = z.infer<typeof tokensSchema>;
export type LoginResponse = z.infer<typeof loginResponse>;
export type Ticket = z.infer<typeof ticketResponse>;

/** Requests and responses about people, the user's own profile, blocks and sessions. */
import { z } from 'zod';
import { id, time } from '../fields.ts';
import { DISPLAY_NAME_MAX, MAX_ID, STATUS_TEXT_MAX, TIME_ZONE_MAX } from '../limits.ts';
import { normalizePassword, oneLine } from '../names.ts';
import { notificationSettings } from '../notifications.ts';
import { profileSchema, statusSchema } from '../people.ts';
import { queryInteger, querySearch, textOf, typedText } from './fields.ts';

/** Preferences that follow the user from device to device. */
export const userSettings = z.object({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  language: z.string().max(35).optional(),
  /** Replaced whole. */
  notifications: notificationSettings.optional(),
});

export const patchMeBody = z.object({
  /** Empty: go by the username. */
  display_name: textOf((raw) => oneLine(raw, DISPLAY_NAME_MAX)).optional(),
  status: statusSchema
    .extend({ text: textOf((raw) => oneLine(raw, STATUS_TEXT_MAX)) })
    .nullable()
    .optional(),
  time_zone: z.string().max(TIME_ZONE_MAX).nullable().optional(),
  settings: userSettings.optional(),
});
/** `current`: as it was typed. */
export const passwordBody = z.object({ current: typedText, next: textOf(normalizePassword) });
/** The code of the link that the server logs while it has no admin. */
export const setupBody = z.object({ code: z.string().max(128) });
/** By ids, separated by commas, or by a part of a name. */
export const usersQuery = z.object({ ids: z.string().max(8192).optional(), q: querySearch });

export const meResponse = profileSchema.extend({ settings: userSettings });
export const usersResponse = z.object({ users: z.array(profileSchema) });
export const blocksQuery = z.object({ after_id: queryInteger('invalid_after_id', MAX_ID) });
export const blocksResponse = z.object({ users: z.array(profileSchema), has_more: z.boolean() });
export const sessionsResponse = z.object({
  sessions: z.array(
    z.object({
      id,
      created_at: time,
      last_used_at: time,
      user_agent: z.string(),
      /** The session of this request. */
      current: z.boolean(),
    }),
  ),
});

export type BlocksPage = z.infer<typeof blocksResponse>;
export type Me = z.infer<typeof meResponse>;
export type UserSettings = z.infer<typeof userSettings>;
export type SessionInfo = z.infer<typeof sessionsResponse>['sessions'][number];

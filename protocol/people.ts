/** People: their roles on the server, and their profiles. */
import { z } from 'zod';
import { fileKey } from './attached-files.ts';
import { count, emoji, id, time } from './fields.ts';

/** A role on the whole server. Guests are in the rooms that they were added to, and see only the people there. */
export const userRole = z.enum(['admin', 'member', 'guest']);

/** What a person is doing, in their own words; expires at `until`. */
export const statusSchema = z.object({
  emoji: emoji.optional(),
  text: z.string(),
  until: time.optional(),
});

/** `version` grows with every change. `display_name` is empty where the person goes by the username. */
export const profileSchema = z.object({
  id,
  username: z.string(),
  version: count,
  kind: z.enum(['person', 'bot', 'removed']),
  role: userRole,
  display_name: z.string(),
  status: statusSchema.nullable(),
  /** The key of the picture; absent: there is none. */
  avatar: fileKey.optional(),
  /** An IANA name such as `Europe/Vienna`. */
  time_zone: z.string().nullable(),
  suspended: z.boolean(),
});

export type UserRole = z.infer<typeof userRole>;
export type Status = z.infer<typeof statusSchema>;
export type Profile = z.infer<typeof profileSchema>;

/** The files of a message, as the message has them. */
import { z } from 'zod';
import { count } from './fields.ts';
import { FILES_PER_MESSAGE } from './limits.ts';

/** 128 random bits, as base64url. */
export const fileKey = z.string().regex(/^[A-Za-z0-9_-]{22}$/);

/** The small picture that stands for a picture until it is there, a ThumbHash in base64. */
export const fileBlur = z.string().regex(/^[A-Za-z0-9+/]{4,48}={0,2}$/);

/**
 * Why a file was refused. `unreadable`: what it tells of its place cannot be taken out. `not_checked`: the check failed.
 * `malware`: a scanner of the operator knows it.
 */
export const fileReason = z.enum(['unreadable', 'not_checked', 'malware']);

/** A file of a message. What is absent is not known, or there is none. */
export const attachedFile = z.object({
  key: fileKey,
  name: z.string(),
  /** By its bytes once it was checked; until then, and of a kind that is only downloaded, as its sender says. */
  type: z.string(),
  size: count,
  /** Of a picture or a video, as it is shown. */
  width: count.optional(),
  height: count.optional(),
  duration_ms: count.optional(),
  alt: z.string().optional(),
  blur: fileBlur.optional(),
  /** The key of its small picture. */
  preview: fileKey.optional(),
  /**
   * `checking`: its bytes are being looked at, and it cannot be opened yet. `refused`: it may not be served, and is gone.
   * Absent: it can be opened.
   */
  state: z.enum(['checking', 'refused']).optional(),
  /** Only of one that is `refused`. Absent where an earlier version has refused it. */
  reason: fileReason.optional(),
});

/** The files that a new message is to have, by key, in their order. */
export const fileKeys = z
  .array(fileKey)
  .min(1)
  .max(FILES_PER_MESSAGE)
  .refine((keys) => new Set(keys).size === keys.length);

export type AttachedFile = z.infer<typeof attachedFile>;

/** Files and their uploads: requests and responses. */
import { z } from 'zod';
import { fileBlur, fileKey } from '../attached-files.ts';
import { count, id, time } from '../fields.ts';
import { fileName, mediaType } from '../file-names.ts';
import { FILE_ALT_MAX } from '../limits.ts';
import { oneLine } from '../names.ts';
import { textOf } from './fields.ts';

/** What a file is for. `preview`: the small picture of another file. */
export const filePurpose = z.enum(['message', 'preview']);
/** `checking`: it is complete, and its bytes are looked at. `refused`: they may not be served, and are gone. */
export const fileState = z.enum(['uploading', 'checking', 'ready', 'refused']);

const name = z.string().transform(fileName);
const alt = textOf((raw) => oneLine(raw, FILE_ALT_MAX));
const type = z.string().max(1024).transform(mediaType);

/** `Upload-Metadata` of a new upload, decoded. `of`: the file that this one is a preview of. */
export const uploadMetadata = z
  .object({
    name: name.default('file'),
    type: type.default('application/octet-stream'),
    purpose: filePurpose.default('message'),
    room_id: z
      .string()
      .regex(/^[1-9][0-9]{0,15}$/)
      .transform(Number)
      .pipe(id),
    of: fileKey.optional(),
    alt: alt.optional(),
    blur: fileBlur.optional(),
  })
  .refine((metadata) => (metadata.purpose === 'preview') === (metadata.of !== undefined));

/** The file of one request. */
export const postFileQuery = z.object({ name: name.default('file'), alt: alt.optional() });

/** `offset`: bytes that are safe. */
export const uploadedFile = z.object({
  key: fileKey,
  purpose: filePurpose,
  room_id: id.nullable(),
  name: z.string(),
  type: z.string(),
  size: count,
  offset: count,
  state: fileState,
  created_at: time,
  /** When it is deleted unless a message has it by then. Null: one has. */
  expires_at: time.nullable(),
  alt: z.string().optional(),
  blur: fileBlur.optional(),
  /** Of a picture or a video, as it is shown; they and `duration_ms` are known once it is ready. */
  width: count.optional(),
  height: count.optional(),
  duration_ms: count.optional(),
  /** Of the bytes that are served, in hexadecimal; known once it is ready. */
  sha256: z.string().optional(),
  /** Why it was refused. `unreadable`: what it tells of its place cannot be taken out. `not_checked`: the check failed. */
  reason: z.enum(['unreadable', 'not_checked']).optional(),
});

export type FilePurpose = z.infer<typeof filePurpose>;
export type FileState = z.infer<typeof fileState>;
export type UploadMetadata = z.infer<typeof uploadMetadata>;
export type UploadedFile = z.infer<typeof uploadedFile>;

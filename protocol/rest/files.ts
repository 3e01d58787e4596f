/** Files and their uploads: requests and responses. */
import { z } from 'zod';
import { attachedFile, fileBlur, fileKey, fileReason } from '../attached-files.ts';
import { count, fileMessageContent, id, time } from '../fields.ts';
import { fileName, mediaType } from '../file-names.ts';
import { FILE_ALT_MAX, MAX_ID } from '../limits.ts';
import { oneLine } from '../names.ts';
import { queryInteger, textOf } from './fields.ts';

/** What an upload is for. `preview`: the small picture of another file. */
const uploadPurpose = z.enum(['message', 'preview']);
/**
 * What a file is for. `link`: the picture of a page that a message links to, which the server has fetched. `avatar`,
 * `emoji` and `icon` are small pictures that have no room; each comes in one request.
 */
export const filePurpose = z.enum([...uploadPurpose.options, 'link', 'avatar', 'emoji', 'icon']);
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
    purpose: uploadPurpose.default('message'),
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

/** The file of one request. With `content`, which may be empty, it is posted at once, with that text. */
export const postFileQuery = z.object({
  name: name.default('file'),
  alt: alt.optional(),
  content: fileMessageContent.optional(),
});

export const fileKind = z.enum(['picture', 'video', 'sound', 'other']);

export const roomFilesQuery = z.object({
  kind: fileKind.optional(),
  before_id: queryInteger('invalid_before_id', MAX_ID),
});

/** A file of a message, as the list of a room's files has it. `id`: the place in the list. */
export const roomFile = attachedFile.extend({ id, message_id: id, user_id: id, created_at: time });

/** The latest first. `next_before_id`: where the list goes on; null: it has ended. */
export const roomFilesResponse = z.object({ files: z.array(roomFile), next_before_id: id.nullable() });

/** Empty: none. */
export const altBody = z.object({ alt });

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
  /** The message that it was posted with. Only in the answer to the request that has posted it. */
  message: z.object({ id, seq: count }).optional(),
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
  reason: fileReason.optional(),
});

export type FilePurpose = z.infer<typeof filePurpose>;
export type FileFamily = z.infer<typeof fileKind>;
export type RoomFile = z.infer<typeof roomFile>;
export type RoomFilesPage = z.infer<typeof roomFilesResponse>;
export type FileState = z.infer<typeof fileState>;
export type UploadMetadata = z.infer<typeof uploadMetadata>;
export type UploadedFile = z.infer<typeof uploadedFile>;

/** What a new upload says of its file: the headers of tus 1.0. */
import { AppError } from '../../../protocol/errors.ts';
import { type UploadMetadata, uploadMetadata } from '../../../protocol/rest/files.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * The value of `Upload-Metadata`: pairs of a key and a value in base64, separated by commas. Keys that nobody knows are
 * left out, as clients send some of their own. Throws `invalid_payload`.
 */
export function parseUploadMetadata(header: string): UploadMetadata {
  const found = new Map<string, string>();
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ');
    if (key === '' && value === '') continue;
    if (found.has(key) || more.length > 0 || !BASE64.test(value)) throw new AppError('invalid_payload');
    found.set(key, decoded(value));
  }
  // tus-js-client and uppy name them so.
  for (const [theirs, ours] of [
    ['filename', 'name'],
    ['filetype', 'type'],
  ] as const) {
    const value = found.get(theirs);
    if (value !== undefined && !found.has(ours)) found.set(ours, value);
  }
  const { data, error } = uploadMetadata.safeParse(Object.fromEntries(found));
  if (!data) throw new AppError('invalid_payload', { cause: error });
  return data;
}

function decoded(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'base64'));
  } catch (cause) {
    throw new AppError('invalid_payload', { cause });
  }
}

/** A number of bytes in plain digits; undefined for any other text. */
export function parseByteCount(header: string | undefined): number | undefined {
  return header !== undefined && /^(?:0|[1-9][0-9]{0,15})$/.test(header) ? Number(header) : undefined;
}

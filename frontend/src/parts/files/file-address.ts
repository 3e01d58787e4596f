import { filePath, type OutboxFile } from '../../../../client/index.ts';

/** A picture of more bytes or pixels than this is not loaded unless one asks for it. */
const SHOWN_BYTES = 2 * 1024 * 1024;
const SHOWN_PIXELS = 24_000_000;
/** None of more pixels is decoded at all: a small file can have a thousand million. */
const OPENED_PIXELS = 100_000_000;

function pixels({ width = 0, height = 0 }: OutboxFile): number {
  return width * height;
}

/** The address of a file's bytes; null: the server has none to give, or not yet. */
export function addressOf({ key, name, state, upload }: OutboxFile): string | null {
  // Nobody may open a file that no message has yet.
  const isSent = upload === undefined && key !== null;
  return isSent && state === undefined ? filePath(key, name) : null;
}

/** The address of what stands in a message for a picture; null: too large, or not there. */
export function smallAddressOf(file: OutboxFile): string | null {
  if (addressOf(file) === null) return null;
  if (file.preview !== undefined) return filePath(file.preview, file.name);
  return file.size <= SHOWN_BYTES && pixels(file) <= SHOWN_PIXELS ? addressOf(file) : null;
}

/** The address of a film's picture; undefined: it has none. */
export function posterOf(file: OutboxFile): string | undefined {
  const { preview, name } = file;
  return preview === undefined || addressOf(file) === null ? undefined : filePath(preview, name);
}

/** The address of the picture itself; of one that no browser should decode, of its small one. */
export function largeAddressOf(file: OutboxFile): string | null {
  return pixels(file) <= OPENED_PIXELS ? addressOf(file) : smallAddressOf(file);
}

/** Bodies that a site has compressed although it was asked not to. */
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The beginning of a body is enough, so its end may be missing. */
const CUT = { finishFlush: constants.Z_SYNC_FLUSH };
const CUT_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

/**
 * The beginning of the body, as it was before: at most `maxBytes`, however much a small body would become. Undefined for
 * an encoding that is not known, and for bytes that are none of it.
 */
export async function decompressed(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const stream = decompressorOf(encoding?.trim().toLowerCase() ?? '');
  if (stream === undefined) return undefined;
  if (stream === 'none') return body.subarray(0, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    stream.end(body);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // Broken behind its beginning, which may be enough.
    if (size === 0) return undefined;
  }
  return Buffer.concat(chunks);
}

function decompressorOf(encoding: string): Transform | 'none' | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return 'none';
    case 'gzip':
    case 'x-gzip':
      return createGunzip(CUT);
    case 'deflate':
      return createInflate(CUT);
    case 'br':
      return createBrotliDecompress(CUT_BROTLI);
    default:
      return undefined;
  }
}

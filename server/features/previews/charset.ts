/** From the bytes of a page to its text. */

/** A page says its encoding within its first bytes, or not at all (HTML, § 4.2.5.4). */
const LOOKED_AT = 1024;
const DECLARED = /<meta[^>]{1,200}?charset\s{0,8}=\s{0,8}["']?\s{0,8}([a-z0-9_:-]{1,40})/i;
/** How much is decoded before others have their turn. */
const CHUNK_BYTES = 16 * 1024;

/** The text in parts. `contentType`: as the response says it. Any bytes are a text. */
export function* textOf(bytes: Uint8Array, contentType: string): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes, contentType));
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    yield decoder.decode(bytes.subarray(from, from + CHUNK_BYTES), { stream: true });
  yield decoder.decode();
}

/** By its mark, by the response, by the page itself; else UTF-8, or what was usual before it. */
function encodingOf(bytes: Uint8Array, contentType: string): string {
  const head = bytes.subarray(0, LOOKED_AT);
  const marked = markedEncoding(head);
  if (marked !== undefined) return marked;
  const [, sent] = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(contentType) ?? [];
  const [, declared] = DECLARED.exec(latin1(head)) ?? [];
  const known = [sent, declared].map((label) => knownEncoding(label)).find((label) => label !== undefined);
  // A page that can be read as ASCII says that it is UTF-16: so it is not.
  const isWide = known?.startsWith('utf-16') === true && declared !== undefined;
  if (known !== undefined) return isWide ? 'utf-8' : known;
  return isUtf8(bytes.subarray(0, CHUNK_BYTES)) ? 'utf-8' : 'windows-1252';
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Its last character may be cut. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

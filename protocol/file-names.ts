/** The names of files, and what a sender says of their type. */
import { FILE_NAME_MAX_BYTES } from './limits.ts';

/**
 * What is taken out of a name: control characters, and those that are invisible or turn the direction of what follows,
 * with which `photo_gpj.exe` can be shown as `photo_exe.jpg`. Joiners inside emoji and words stay.
 */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u{00AD}\u{061C}\u{180E}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}]/gu;

/** What a file is called whose name has nothing to show. */
const NAMELESS = 'file';

/**
 * A name as it is stored, whatever a sender calls the file: the part behind the last `/` or `\`, in NFC, without hidden
 * characters, without dots and spaces around it, 255 bytes at most. A long one is cut before its extension.
 */
export function fileName(raw: string): string {
  const last = raw.split(/[/\\]/).at(-1) ?? '';
  const visible = last
    .slice(-4 * FILE_NAME_MAX_BYTES)
    .toWellFormed()
    .normalize('NFC')
    .replace(HIDDEN, '');
  const name = shortened(visible.replace(/\p{Zs}+/gu, ' ').replace(/^ +|[. ]+$/g, ''));
  return /^[. ]*$/.test(name) ? NAMELESS : name;
}

function shortened(name: string): string {
  if (bytesOf(name) <= FILE_NAME_MAX_BYTES) return name;
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  const letters = Array.from(new Intl.Segmenter().segment(name.slice(0, name.length - extension.length)));
  let rest = '';
  for (const { segment } of letters) {
    if (bytesOf(rest + segment + extension) > FILE_NAME_MAX_BYTES) break;
    rest += segment;
  }
  return rest + extension;
}

/** Of the text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const point = letter.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Where the bytes of a file are, below the address of the server. */
export function filePath(key: string, name: string): string {
  return `/files/${key}/${encodeURIComponent(name)}`;
}

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** A media type without its parameters, in small letters; a text that is none means bytes of any kind. */
export function mediaType(raw: string): string {
  const type = raw.split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPE.test(type) ? type : 'application/octet-stream';
}

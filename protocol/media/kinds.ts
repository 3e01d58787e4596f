/** What a file is, by its bytes. Its name, and the type that its sender claims, say nothing. */
import { isMp3 } from './audio.ts';
import { boxesOf } from './boxes.ts';
import { latin1, type Read, type Source, sourceOf, u8, u16be, u16le, u32be } from './bytes.ts';
import { docTypeOf } from './webm.ts';

interface KindFacts {
  /** The MIME type that it is served with. */
  readonly type: string;
  readonly family: 'picture' | 'video' | 'sound' | 'other';
  /** Whether browsers may show or play it where it is. All else is downloaded (`Content-Disposition: attachment`). */
  readonly inline: boolean;
}

/** All kinds. Those that are inline are ones that a browser with `nosniff` treats as that type, or not at all. */
export const KINDS = {
  jpeg: { type: 'image/jpeg', family: 'picture', inline: true },
  png: { type: 'image/png', family: 'picture', inline: true },
  gif: { type: 'image/gif', family: 'picture', inline: true },
  webp: { type: 'image/webp', family: 'picture', inline: true },
  avif: { type: 'image/avif', family: 'picture', inline: true },
  heic: { type: 'image/heic', family: 'picture', inline: false },
  mp4: { type: 'video/mp4', family: 'video', inline: true },
  mov: { type: 'video/quicktime', family: 'video', inline: false },
  webm: { type: 'video/webm', family: 'video', inline: true },
  mp3: { type: 'audio/mpeg', family: 'sound', inline: true },
  m4a: { type: 'audio/mp4', family: 'sound', inline: true },
  ogg: { type: 'audio/ogg', family: 'sound', inline: true },
  wav: { type: 'audio/wav', family: 'sound', inline: true },
  flac: { type: 'audio/flac', family: 'sound', inline: true },
  other: { type: 'application/octet-stream', family: 'other', inline: false },
} as const satisfies Record<string, KindFacts>;

export type FileKind = keyof typeof KINDS;

/**
 * The kind of a file by its first bytes, and by the structure that must follow them: a script that begins with `GIF89a`
 * is 'other'. It reads 64 KiB, for MP3 a second time behind its tag. No file makes it throw.
 */
export async function kindOf(read: Read, size: number): Promise<FileKind> {
  const file = sourceOf(read, size);
  const head = await file.from(0);
  if (isJpeg(head)) return 'jpeg';
  if (isPng(head)) return 'png';
  if (isGif(head)) return 'gif';
  const container = latin1(head, 0, 4);
  if (container === 'RIFF') return riffKind(head);
  if (container === 'OggS') return isOgg(head) ? 'ogg' : 'other';
  if (container === 'fLaC') return isFlac(head) ? 'flac' : 'other';
  if (u32be(head, 0) === 0x1a45dfa3) return docTypeOf(head) === 'webm' ? 'webm' : 'other';
  if (latin1(head, 4, 4) === 'ftyp') return brandKind(head);
  if (await isOldMovie(file)) return 'mov';
  return (await isMp3(file)) ? 'mp3' : 'other';
}

/** A start of image, a segment, and the start of another one behind it (ITU-T T.81, § B.1.1). */
function isJpeg(head: Uint8Array): boolean {
  const marker = u8(head, 3);
  const length = u16be(head, 4);
  const isKnown = (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xda && marker <= 0xef) || marker === 0xfe;
  if (u16be(head, 0) !== 0xffd8 || u8(head, 2) !== 0xff || !isKnown || length < 2) return false;
  return 4 + length >= head.length || u8(head, 4 + length) === 0xff;
}

/** The signature and a header that is not empty (PNG, third edition, §§ 5.2 and 11.2.1). */
function isPng(head: Uint8Array): boolean {
  const isSigned = u32be(head, 0) === 0x89504e47 && u32be(head, 4) === 0x0d0a1a0a;
  return isSigned && isHeader(head, 8) && u32be(head, 16) > 0 && u32be(head, 20) > 0;
}

function isHeader(head: Uint8Array, at: number): boolean {
  return u32be(head, at) === 13 && latin1(head, at + 4, 4) === 'IHDR';
}

/** The signature, a screen that is not empty, and behind its colours an image or an extension (GIF89a, § 18). */
function isGif(head: Uint8Array): boolean {
  if (!/^GIF8[79]a$/.test(latin1(head, 0, 6)) || u16le(head, 6) === 0 || u16le(head, 8) === 0) return false;
  const flags = u8(head, 10);
  const block = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const introducer = u8(head, block);
  // Graphic control, comment, plain text, application: there are no other extensions.
  return (
    introducer === 0x2c || (introducer === 0x21 && [0xf9, 0xfe, 0x01, 0xff].includes(u8(head, block + 1)))
  );
}

/** RFC 9649, § 2.4; and WAVE, whose format is its first chunk or close to it. */
function riffKind(head: Uint8Array): FileKind {
  const form = latin1(head, 8, 4);
  const first = latin1(head, 12, 4);
  if (form === 'WEBP' && ['VP8 ', 'VP8L', 'VP8X'].includes(first)) return 'webp';
  return form === 'WAVE' && ['fmt ', 'JUNK', 'bext', 'LIST', 'fact'].includes(first) ? 'wav' : 'other';
}

/** A page of version 0 that begins a stream (RFC 3533, § 6). */
function isOgg(head: Uint8Array): boolean {
  return u8(head, 4) === 0 && (u8(head, 5) & 2) === 2;
}

/** The block STREAMINFO, which is always the first (RFC 9639, § 8.2). */
function isFlac(head: Uint8Array): boolean {
  return (u8(head, 4) & 0x7f) === 0 && (u32be(head, 4) & 0xff_ffff) === 34;
}

const AVIF = /^avi[fs]$/;
const HEIC = /^(hei[cxms]|hev[cxms]|mif1|msf1)$/;
const SOUND = /^M4[AB] $/;
const VIDEO =
  /^(iso[m2-9a-c]|mp4[12]|avc1|av01|hvc1|dash|cmfc|M4V[ HP]|mmp4|f4v |MSNV|XAVC|3g[2eghprst][0-9a-z])$/;

/** By the brands of the first box (ISO/IEC 14496-12, § 4.3). The first brand decides where it is known. */
function brandKind(head: Uint8Array): FileKind {
  const end = u32be(head, 0);
  if (end < 16 || end > 4096 || end % 4 !== 0 || end > head.length) return 'other';
  const brands = [latin1(head, 8, 4)];
  for (let at = 16; at < end; at += 4) brands.push(latin1(head, at, 4));
  const first = brands[0] ?? '';
  // 'mif1' and 'msf1' say that it is a picture or a sequence, and not how it is coded.
  if (AVIF.test(first) || (/^m[is]f1$/.test(first) && brands.some((brand) => AVIF.test(brand))))
    return 'avif';
  if (HEIC.test(first)) return 'heic';
  if (first === 'qt  ') return 'mov';
  if (SOUND.test(first)) return 'm4a';
  // Some cameras put a brand of their own first.
  return brands.some((brand) => VIDEO.test(brand)) ? 'mp4' : brands.includes('qt  ') ? 'mov' : 'other';
}

/** QuickTime from before there were brands: it begins with one of these atoms, and another follows. */
async function isOldMovie(file: Source): Promise<boolean> {
  let atoms = 0;
  for await (const box of boxesOf(file)) {
    if (!['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(box.type) || box.end > file.size)
      return false;
    if (box.type === 'moov') return true;
    if (++atoms > 8) return false;
  }
  return false;
}

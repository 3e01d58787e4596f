/**
 * Which messages and ids are allowed, by rules that client and server share. `names.ts` has those of names. Lengths
 * are counted in code points (`[...s].length`).
 */
import { CID, MESSAGE_CONTENT } from './limits.ts';

export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/**
 * The form in which names are unique: NFKC and full case folding, over the decomposed form (UAX #15, UAX #31 R5).
 * JavaScript has no case folding. Lower case, then upper, then lower again gives the same result with two exceptions:
 * dotless i must not become i, and final sigma must become the other sigma.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .split('\u0131')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('\u0131')
    .replaceAll('\u03C2', '\u03C3')
    .normalize('NFKC');
}

/** What is seen of a text: no white space, nothing invisible, and none of the blank glyphs that no property lists. */
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\uFFF9-\uFFFB\u{13430}-\u{13442}\u{16FE4}\u{1D159}]/u;

/** Whether a message may have this content. It is stored exactly as it was sent. */
export function isMessageContent(text: string): boolean {
  return isStoredContent(text) && VISIBLE.test(text);
}

/** Whether a stored message may have this content: earlier versions accepted invisible characters alone. */
export function isStoredContent(text: string): boolean {
  if (text.length > MESSAGE_CONTENT.max * 2 || text.includes('\0') || !text.isWellFormed()) return false;
  return /\P{White_Space}/u.test(text) && codePointLength(text) <= MESSAGE_CONTENT.max;
}

/** A private note as it is stored: trimmed, with lines that end in `\n`. Null when it is too long or not well-formed. */
export function noteOf(raw: string, max: number): string | null {
  if (raw.length > max * 8 || raw.includes('\0') || !raw.isWellFormed()) return null;
  const note = raw.replace(/\r\n?/g, '\n').trim();
  return codePointLength(note) <= max ? note : null;
}

/** The cost of a message to its author's text budget (`TEXT_PER_USER`), in KiB of JSON. */
export function textKib(content: string): number {
  return Math.ceil(JSON.stringify(content).length / 1024);
}

/** Whether this is a valid client message id: 1 to 64 characters, no NUL, well formed. */
export function isCid(text: string): boolean {
  if (text.length > CID.max * 2 || text.includes('\0') || !text.isWellFormed()) return false;
  const length = codePointLength(text);
  return length >= CID.min && length <= CID.max;
}

/** Parses a positive integer up to 2^53-1 in plain digits; null for anything else (`0x10`, `1e0`, ` 1`, `1.5`). */
export function parseId(text: string): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null;
  const id = Number(text);
  return id >= 1 && Number.isSafeInteger(id) ? id : null;
}

/** Parses a seq: an integer from 0 in plain decimal digits; null for anything else. */
export function parseSeq(text: string): number | null {
  return /^0+$/.test(text) ? 0 : parseId(text);
}

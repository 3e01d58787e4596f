/**
 * Files that are two things at once: a picture or a sound, and something that a browser would run if it were taken for
 * it. And files that are only the latter, under the name of a picture.
 */

import type { FileKind } from '../../protocol/media/kinds.ts';
import { chunkOf } from '../../protocol/media/png.ts';
import { box, cat, type Part, riff, riffChunk, segment, zeros } from '../../protocol/media/testing/build.ts';
import { avcTrack, film } from '../../protocol/media/testing/films.ts';
import { PHOTOS } from '../../protocol/media/testing/phones.ts';
import { JPEG, PNG, VP8 } from '../../protocol/media/testing/samples.ts';
import { flac, gif, m4a, mp3, ogg, wav, webm } from '../../protocol/media/testing/sounds.ts';

interface Polyglot {
  /** Such as `gif and html`. */
  readonly name: string;
  /** The name that the file is uploaded with. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** What it must be taken for. */
  readonly kind: FileKind;
}

/** A host of other content: `with(content)` has it as early as the format allows. */
interface Host {
  readonly kind: FileKind;
  with(content: Uint8Array): Uint8Array;
}

const CANVAS = riffChunk('VP8X', [0x04, 0, 0, 0, 31, 0, 0, 15, 0, 0]);
const AVIF = PHOTOS.find(({ kind }) => kind === 'avif')?.bytes ?? zeros(0);

const HOSTS: readonly Host[] = [
  {
    kind: 'gif',
    with: (content) => cat(gif(1).subarray(0, 19), [0x21, 0xfe], blocks(content), gif(1).subarray(19)),
  },
  { kind: 'jpeg', with: (content) => cat(JPEG.subarray(0, 20), segment(0xfe, content), JPEG.subarray(20)) },
  { kind: 'png', with: (content) => cat(PNG.subarray(0, 33), chunkOf('tEXt', content), PNG.subarray(33)) },
  { kind: 'webp', with: (content) => riff('WEBP', CANVAS, riffChunk('XMP ', content), VP8.subarray(12)) },
  { kind: 'wav', with: (content) => riff('WAVE', riffChunk('LIST', content), wav().subarray(12)) },
  {
    kind: 'mp3',
    with: (content) => cat('ID3', [4, 0, 0], sevenBits(content.length), content, mp3().subarray(20)),
  },
  { kind: 'ogg', with: (content) => cat(ogg(), content) },
  {
    kind: 'flac',
    with: (content) =>
      cat(
        flac().subarray(0, 4),
        [0],
        flac().subarray(5),
        [0x84, 0],
        [content.length >> 8, content.length & 255],
        content,
      ),
  },
  { kind: 'mp4', with: (content) => film('isom', [avcTrack('x')], [box('udta', content)], content) },
  { kind: 'm4a', with: (content) => cat(m4a(), box('free', content)) },
  { kind: 'avif', with: (content) => cat(AVIF, box('free', content)) },
  { kind: 'webm', with: (content) => cat(webm(), content) },
];

/** Blocks of data of GIF, which have at most 255 bytes; a script goes on behind the first. */
function blocks(content: Uint8Array): Uint8Array {
  const parts: Part[] = [];
  for (let at = 0; at < content.length; at += 255) {
    const part = content.subarray(at, at + 255);
    parts.push([part.length], part);
  }
  return cat(...parts, [0]);
}

function sevenBits(value: number): number[] {
  return [21, 14, 7, 0].map((shift) => (value >> shift) & 127);
}

/** What a browser or its reader of PDF runs. */
function contents(script: string): Readonly<Record<string, Uint8Array>> {
  const action = `<< /Type /Catalog /OpenAction << /S /JavaScript /JS (${script}) >> >>`;
  const page = cat(`<script>${script}</script>`);
  return {
    html: cat(`<!doctype html><html><body>`, page),
    svg: cat(`<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`),
    pdf: cat(`%PDF-1.4\n1 0 obj ${action} endobj\ntrailer << /Root 1 0 R >>\n%%EOF`),
    zip: zip('index.html', page),
  };
}

/** An archive of one file that is not compressed. */
function zip(name: string, content: Uint8Array): Uint8Array {
  const crc = chunkOf('', content).subarray(-4).toReversed();
  const size = [content.length & 255, content.length >> 8, 0, 0];
  const entry = cat([20, 0, 0, 0, 0, 0, 0, 0, 0, 0], crc, size, size, [name.length, 0, 0, 0]);
  const local = cat('PK\x03\x04', entry, name, content);
  const central = cat('PK\x01\x02', [20, 0], entry, zeros(14), name);
  const counts = [
    0,
    0,
    0,
    0,
    1,
    0,
    1,
    0,
    central.length,
    0,
    0,
    0,
    local.length & 255,
    local.length >> 8,
    0,
    0,
    0,
    0,
  ];
  return cat(local, central, 'PK\x05\x06', counts);
}

/** All bytes are a script in Latin 1, and a picture or a sound: a comment hides what is none. */
function scripts(script: string): Polyglot[] {
  const run = `*/=1;${script}//`;
  const gifStart = cat('GIF89a', '/*', gif(1).subarray(8, -1), ';', run);
  const jpegStart = cat([0xff, 0xd8, 0xff, 0xe0], '/*JFIF\0', zeros(0x2f2a - 7));
  const jpeg = cat(jpegStart, segment(0xfe, `*/=1;${script}/*`), JPEG.subarray(20), '*/');
  const sound = wav().subarray(8, 400);
  return [
    { name: 'gif and script', file: 'a.js', kind: 'gif', bytes: gifStart },
    { name: 'jpeg and script', file: 'a.js', kind: 'jpeg', bytes: jpeg },
    { name: 'wav and script', file: 'a.js', kind: 'wav', bytes: cat('RIFF/*\0\0', sound, run) },
    { name: 'webp and script', file: 'a.mjs', kind: 'webp', bytes: cat('RIFF/*\0\0', VP8.subarray(8), run) },
  ];
}

/** Nothing but what runs, with the first bytes of a picture where that is allowed. */
function disguised(script: string): Polyglot[] {
  const { html = zeros(0), svg = zeros(0), pdf = zeros(0), zip: archive = zeros(0) } = contents(script);
  const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`;
  const mhtml =
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n';
  const files: readonly [name: string, file: string, bytes: Uint8Array][] = [
    ['html as a picture', 'a.png', html],
    ['svg as a picture', 'a.svg', svg],
    ['svg as a JPEG', 'a.jpg', svg],
    ['pdf as a picture', 'a.gif', pdf],
    ['archive as a picture', 'a.webp', archive],
    ['xhtml', 'a.xhtml', cat(xhtml)],
    ['mhtml', 'a.mht', cat(mhtml, html)],
    ['a script that begins as a GIF', 'a.gif', cat(`GIF89a=1;${script}`)],
  ];
  return files.map(([name, file, bytes]) => ({ name, file, bytes, kind: 'other' }));
}

/**
 * 60 files.
 * @param script what they run. It has no quotes, no angle brackets and no parentheses, and at most 200 characters
 */
export function polyglots(script: string): Polyglot[] {
  const both = HOSTS.flatMap((host) =>
    Object.entries(contents(script)).map(([content, bytes]) => ({
      name: `${host.kind} and ${content}`,
      file: `a.${content}`,
      kind: host.kind,
      bytes: host.with(bytes),
    })),
  );
  return [...both, ...scripts(script), ...disguised(script)];
}

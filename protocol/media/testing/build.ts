/** Small files as phones and programs write them: each says `SECRET` wherever its format lets it. */
import { bytesOf, joined, putU32be, putU32le } from '../bytes.ts';
import { chunkOf } from '../png.ts';

export const SECRET = 'SECRET 52.5200 13.4050';

/** An EXIF block with the maker, the time and the place beside the orientation. */
export function exif(orientation: number): Uint8Array {
  const entries = [
    [0x010f, 2, SECRET.length],
    [0x0112, 3, 1],
    [0x8825, 4, 1],
  ] as const;
  const text = 8 + 2 + entries.length * 12 + 4;
  const directory = entries.map(([tag, type, count]) => {
    const value = tag === 0x0112 ? [0, orientation, 0, 0] : [0, 0, 0, text];
    return joined([tag >> 8, tag & 255, 0, type, 0, 0, 0, count], value);
  });
  const head = joined(bytesOf('MM'), [0, 42, 0, 0, 0, 8, 0, entries.length]);
  return joined(head, ...directory, [0, 0, 0, 0], bytesOf(SECRET));
}

function segment(marker: number, body: Uint8Array): Uint8Array {
  const length = body.length + 2;
  return joined([0xff, marker, length >> 8, length & 255], body);
}

/** 600 x 400 as it is coded, with what a phone adds in front of the picture, and a video behind it. */
export function jpeg(orientation: number): Uint8Array {
  const frame = [8, 400 >> 8, 400 & 255, 600 >> 8, 600 & 255, 1, 1, 0x11, 0];
  return joined(
    [0xff, 0xd8],
    segment(0xe0, joined(bytesOf('JFIF\0'), [1, 1, 0, 0, 1, 0, 1, 0, 0])),
    segment(0xe1, joined(bytesOf('Exif\0\0'), exif(orientation))),
    segment(0xe1, bytesOf(`http://ns.adobe.com/xap/1.0/\0${SECRET}`)),
    segment(0xe2, bytesOf('ICC_PROFILE\0\x01\x01colours')),
    segment(0xe2, bytesOf(`MPF\0${SECRET}`)),
    segment(0xed, bytesOf(`Photoshop 3.0\0${SECRET}`)),
    segment(0xfe, bytesOf(SECRET)),
    segment(0xdb, new Uint8Array(65)),
    segment(0xc0, Uint8Array.from(frame)),
    segment(0xda, Uint8Array.from([1, 1, 0, 0, 63, 0])),
    SCAN,
    [0xff, 0xd9],
    bytesOf(`....ftypmp42${SECRET}`),
  );
}

/** Bytes that stand for coded pixels. */
export const SCAN = Uint8Array.from([1, 2, 3, 0xff, 0, 4, 0xff, 0xd0, 5, 6, 7]);

/** 300 x 200. */
export function png(orientation: number): Uint8Array {
  return joined(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    chunkOf('IHDR', Uint8Array.from([0, 0, 1, 44, 0, 0, 0, 200, 8, 2, 0, 0, 0])),
    chunkOf('gAMA', Uint8Array.from([0, 0, 177, 143])),
    chunkOf('eXIf', exif(orientation)),
    chunkOf('tEXt', bytesOf(`Comment\0${SECRET}`)),
    chunkOf('iTXt', bytesOf(`XML:com.adobe.xmp\0\0\0\0\0${SECRET}`)),
    chunkOf('tIME', Uint8Array.from([7, 234, 1, 2, 3, 4, 5])),
    chunkOf('IDAT', SCAN),
    chunkOf('IEND', new Uint8Array()),
    bytesOf(SECRET),
  );
}

/** 64 x 32, with a canvas, EXIF and XMP. */
export function webp(orientation: number): Uint8Array {
  const chunks = joined(
    riffChunk('VP8X', Uint8Array.from([0x0c, 0, 0, 0, 63, 0, 0, 31, 0, 0])),
    riffChunk('VP8 ', joined([0, 0, 0, 0x9d, 0x01, 0x2a, 64, 0, 32, 0], SCAN)),
    riffChunk('EXIF', exif(orientation)),
    riffChunk('XMP ', bytesOf(SECRET)),
  );
  return joined(bytesOf('RIFF'), u32le(chunks.length + 4), bytesOf('WEBP'), chunks, bytesOf(SECRET));
}

function riffChunk(type: string, data: Uint8Array): Uint8Array {
  return joined(bytesOf(type), u32le(data.length), data, data.length % 2 === 1 ? [0] : []);
}

export function box(type: string, ...content: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const body = joined(...content);
  const head = new Uint8Array(4);
  putU32be(head, 0, body.length + 8);
  return joined(head, bytesOf(type), body);
}

/** What a telephone records: a picture track, a track of places, times, and texts about the device. */
export function movie(brand: string): Uint8Array {
  const ftyp = box('ftyp', bytesOf(`${brand}\0\0\0\0${brand}isom`));
  const samples = ftyp.length + 8;
  const mdat = box('mdat', SCAN, bytesOf(SECRET));
  const times = [0xee, 0xee, 0xee, 0xee, 0xdd, 0xdd, 0xdd, 0xdd];
  const mvhd = box('mvhd', [0, 0, 0, 0], times, u32be(1000), u32be(2500), new Uint8Array(80));
  const moov = box(
    'moov',
    mvhd,
    track('vide', samples, SCAN.length),
    track('meta', samples + SCAN.length, SECRET.length),
    box('udta', box('\xa9xyz', bytesOf(SECRET))),
    box('meta', box('keys', bytesOf(`mdtacom.apple.quicktime.location.ISO6709${SECRET}`))),
  );
  return joined(ftyp, mdat, moov, box('uuid', bytesOf(SECRET)));
}

function track(handler: string, at: number, length: number): Uint8Array {
  const times = [0xee, 0xee, 0xee, 0xee, 0xdd, 0xdd, 0xdd, 0xdd];
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32be);
  const size = handler === 'vide' ? [u32be(640 * 65_536), u32be(480 * 65_536)] : [u32be(0), u32be(0)];
  const tkhd = box('tkhd', [0, 0, 0, 7], times, new Uint8Array(28), ...matrix, ...size);
  const stbl = box(
    'stbl',
    box('stsd', u32be(0), u32be(0)),
    box('stsc', u32be(0), u32be(1), u32be(1), u32be(1), u32be(1)),
    box('stsz', u32be(0), u32be(length), u32be(1)),
    box('stco', u32be(0), u32be(1), u32be(at)),
  );
  const mdhd = box('mdhd', [0, 0, 0, 0], times, u32be(1000), u32be(2500), [0, 0, 0, 0]);
  const hdlr = box('hdlr', u32be(0), bytesOf(`mhlr${handler}`), new Uint8Array(12), bytesOf(SECRET));
  return box('trak', tkhd, box('mdia', mdhd, hdlr, box('minf', stbl)));
}

function u32be(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  putU32be(bytes, 0, value);
  return bytes;
}

function u32le(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  putU32le(bytes, 0, value);
  return bytes;
}

/**
 * Photos and films as phones and cameras write them, built from what their makers and ExifTool document of the layouts.
 * The pictures are those of `samples.ts`; all that is told beside them is in `secrets.ts`.
 */
import type { FileKind } from '../kinds.ts';
import { chunkOf } from '../png.ts';
import { be16, be32, box, cat, fullBox, le32, type Part, riff, riffChunk, segment, zeros } from './build.ts';
import { exifOf } from './exif-of.ts';
import { avcTrack, dataTrack, film, heif, ispe, keyed, TURNED, userText } from './films.ts';
import { AV1, AV1C, HEVC, HVCC, JPEG, PNG, VP8 } from './samples.ts';
import { xmpOf } from './secrets.ts';

interface Photo {
  readonly name: string;
  readonly kind: FileKind;
  readonly bytes: Uint8Array;
  /** As it is shown. */
  readonly size: readonly [width: number, height: number];
  /** Of EXIF, 1 to 8. 1 where the format turns pictures in another way. */
  readonly orientation: number;
}

/** The sample without its comment: from its tables on. */
const TABLES = JPEG.subarray(JPEG.indexOf(0xdb) - 1);
const JFIF = JPEG.subarray(2, 20);
const XMP = 'http://ns.adobe.com/xap/1.0/\0';

function jpegOf(order: 'II' | 'MM', orientation: number, note: Part, ...more: readonly Part[]): Uint8Array {
  const makerNote = cat(note, 'NoteOfMaker');
  const exif = exifOf({ order, orientation, makerNote, thumbnail: JPEG });
  return cat([0xff, 0xd8], segment(0xe1, 'Exif\0\0', exif), ...more, TABLES);
}

/** The index of the pictures behind the first one (CIPA DC-007). */
function mpf(): Uint8Array {
  const entries = [be32(0x030000, 1000, 0), be16(0, 0), be32(0, 500, 1000), be16(0, 0)];
  const head = [be16(0xb000, 7), be32(4), '0100', be16(0xb001, 4), be32(1, 2), be16(0xb002, 7), be32(32, 50)];
  return segment(0xe2, 'MPF\0MM', be16(42), be32(8), be16(3), ...head, be32(0), ...entries);
}

/** What Samsung writes behind a picture: blocks, their directory, and the end `SEFT`. */
function samsungTrailer(): Uint8Array {
  const block = cat(be16(0), [0x30, 0x0a], le32(16), 'MotionPhoto_Data', androidFilm());
  const stamp = cat(be16(0), [0x01, 0x0a], le32(14), 'Image_UTC_Data', '2024:05:17');
  const directory = cat(
    ...['SEFH', le32(106, 2), be16(0), [0x30, 0x0a], le32(block.length + stamp.length, block.length)],
    ...[be16(0), [0x01, 0x0a], le32(stamp.length, stamp.length)],
  );
  return cat(block, stamp, directory, le32(directory.length), 'SEFT');
}

function androidFilm(): Uint8Array {
  const told = box('udta', userText('\xa9xyz', '+48.8577+002.2950/'), userText('\xa9day', '2024-05-17'));
  const keys = { 'com.android.version': 'FirmwareOfPhone', 'com.android.manufacturer': 'MakerOfPhone' };
  return film('mp42', [avcTrack('VideoHandle', TURNED)], [told, keyed(keys)]);
}

/** A Live Photo's film: the place in `meta` and `udta`, and a track of measurements. */
function liveFilm(): Uint8Array {
  const keys = {
    'com.apple.quicktime.location.ISO6709': '+48.8577+002.2950+035.000/',
    'com.apple.quicktime.make': 'MakerOfPhone',
    'com.apple.quicktime.model': 'ModelOfPhone',
    'com.apple.quicktime.software': 'FirmwareOfPhone',
    'com.apple.quicktime.creationdate': '2024-05-17T10:11:12+0200',
  };
  const told = box(
    'udta',
    userText('\xa9xyz', '+48.8577+002.2950/'),
    userText('\xa9mak', 'MakerOfPhone'),
    zeros(4),
  );
  const places = dataTrack(
    'meta',
    'mebx',
    'com.apple.quicktime.location.ISO6709',
    '+48.8577+002.29',
    '+48.8577+002',
  );
  return film('qt  ', [avcTrack('ModelOfPhone', TURNED), places], [keyed(keys), told]);
}

function goProFilm(): Uint8Array {
  const gpmf = cat('DEVC', [0, 1], be16(1), 'GPS5', ['l'.charCodeAt(0), 20], be16(1), '+48.8577PlaceOfPhoto');
  const told = [box('FIRM', 'FirmwareOfPhone'), box('CAME', 'SerialOfPhone'), box('GPMF', 'DEVC', gpmf)];
  const tracks = [
    avcTrack('ModelOfPhone'),
    dataTrack('tmcd', 'tmcd', 'GoPro TCD', be32(0x1234)),
    dataTrack('meta', 'gpmd', 'GoPro MET', gpmf, gpmf, gpmf),
    dataTrack('meta', 'fdsc', 'GoPro SOS', 'SerialOfPhone'),
  ];
  const after = box('uuid', [0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8], zeros(8), xmpOf());
  return film('mp41', tracks, [box('udta', ...told)], after);
}

function heicOf(place: 'idat' | undefined, after: Part = ''): Uint8Array {
  const exif = cat(
    be32(6),
    'Exif\0\0',
    exifOf({ order: 'MM', orientation: 6, makerNote: cat('Apple iOS\0NoteOfMaker') }),
  );
  const optional = place === undefined ? {} : { place };
  const items = [
    { type: 'grid', content: cat([0, 0, 0, 0], be16(32, 16)), place: 'idat' as const, properties: [3, 4, 5] },
    { type: 'hvc1', content: HEVC, properties: [0x81, 2] },
    { type: 'Exif', content: exif, ...optional },
    { type: 'mime', content: cat(xmpOf()), ...optional },
  ];
  const told = fullBox('udes', 0, 0, 'en\0PlaceOfPhoto\0', '2024:05:17\0', '\0');
  const turned = box('irot', [3]);
  const pixels = fullBox('pixi', 0, 0, [3, 8, 8, 8]);
  return heif('heic', items, [box('hvcC', HVCC), ispe(64, 64), ispe(32, 16), turned, pixels, told], after);
}

function avif(): Uint8Array {
  const exif = cat(be32(0), exifOf({ order: 'II', orientation: 1 }));
  const items = [
    { type: 'av01', content: AV1, properties: [1, 2, 0x83, 4] },
    { type: 'Exif', content: exif },
    { type: 'mime', content: cat(xmpOf()), place: 'idat' as const },
  ];
  const colour = box('colr', 'nclx', be16(1, 13, 6), [0x80]);
  return heif('avif', items, [ispe(32, 16), fullBox('pixi', 0, 0, [3, 8, 8, 8]), box('av1C', AV1C), colour]);
}

function telegramWebp(): Uint8Array {
  const size = [31, 0, 0, 15, 0, 0];
  const exif = riffChunk('EXIF', exifOf({ order: 'II', orientation: 6 }));
  return riff(
    'WEBP',
    riffChunk('VP8X', [0x0c, 0, 0, 0], size),
    VP8.subarray(12),
    exif,
    riffChunk('XMP ', xmpOf()),
  );
}

function png(): Uint8Array {
  const header = PNG.subarray(0, 33);
  const text = [
    chunkOf('eXIf', exifOf({ order: 'MM', orientation: 6 })),
    chunkOf('iTXt', cat('XML:com.adobe.xmp\0\0\0\0\0', xmpOf())),
    chunkOf('tEXt', cat('Software\0FirmwareOfPhone')),
    chunkOf('iDOT', cat('ModelOfPhone')),
    chunkOf('tIME', cat(be16(2024), [5, 17, 10, 11, 12])),
  ];
  return cat(header, ...text, PNG.subarray(33), 'PlaceOfPhoto');
}

const PIXEL_XMP =
  ' xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" GCamera:MicroVideoOffset="9"';
const XIAOMI_XMP =
  ' xmlns:MiCamera="http://ns.xiaomi.com/photos/1.0/camera/" MiCamera:XMPMeta="PlaceOfPhoto"';

const UPRIGHT = [16, 32] as const;
const LEVEL = [32, 16] as const;

/** A photo or film of each maker. */
export const PHOTOS: readonly Photo[] = [
  photo('iPhone, HEIC', 'heic', heicOf(undefined), UPRIGHT, 1),
  photo(
    'iPhone, JPEG with a gain map behind it',
    'jpeg',
    cat(
      jpegOf('MM', 6, 'Apple iOS\0\0\x01MM', mpf(), segment(0xe1, XMP, xmpOf())),
      jpegOf('MM', 6, 'Apple iOS\0'),
    ),
    ...([UPRIGHT, 6] as const),
  ),
  photo('iPhone, film of a Live Photo', 'mov', liveFilm(), UPRIGHT, 1),
  photo(
    'Samsung, JPEG with a film behind it',
    'jpeg',
    cat(jpegOf('II', 6, '\x07\0\x01\0'), samsungTrailer()),
    UPRIGHT,
    6,
  ),
  photo(
    'Samsung, HEIC with a film in it',
    'heic',
    heicOf('idat', cat(box('mpvd', androidFilm()), samsungTrailer())),
    UPRIGHT,
    1,
  ),
  photo(
    'Pixel, JPEG with a film behind it',
    'jpeg',
    cat(jpegOf('MM', 1, '', JFIF, segment(0xe1, XMP, xmpOf(PIXEL_XMP)), mpf()), androidFilm()),
    ...([LEVEL, 1] as const),
  ),
  photo(
    'Huawei, JPEG',
    'jpeg',
    cat(jpegOf('MM', 8, 'HUAWEI\0\0MM', segment(0xe5, 'PlaceOfPhoto')), 'ModelOfPhone'),
    UPRIGHT,
    8,
  ),
  photo(
    'Xiaomi, JPEG',
    'jpeg',
    jpegOf('MM', 1, 'XIAOMI', segment(0xe1, XMP, xmpOf(XIAOMI_XMP)), segment(0xfe, '2024:05:17')),
    LEVEL,
    1,
  ),
  photo(
    'OnePlus, JPEG with extended XMP',
    'jpeg',
    jpegOf(
      'II',
      3,
      'oplus_1048864',
      segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', zeros(40), xmpOf()),
    ),
    ...([LEVEL, 3] as const),
  ),
  photo(
    'Sony, JPEG with IPTC and a preview behind it',
    'jpeg',
    cat(
      jpegOf(
        'II',
        1,
        'SONY DSC \0\0\0',
        mpf(),
        segment(
          0xed,
          'Photoshop 3.0\x008BIM',
          be16(0x404, 0),
          be32(17),
          [28, 2, 90],
          be16(12),
          'PlaceOfPhoto\0',
        ),
      ),
      jpegOf('II', 1, 'SONY DSC \0\0\0'),
    ),
    ...([LEVEL, 1] as const),
  ),
  photo('Nikon, JPEG', 'jpeg', jpegOf('II', 5, 'Nikon\0\x02\x10\0\0MM\0*\0\0\0\x08'), UPRIGHT, 5),
  photo('GoPro, MP4 with places in a track', 'mp4', goProFilm(), LEVEL, 1),
  photo('Android, MP4', 'mp4', androidFilm(), UPRIGHT, 1),
  photo('Android, AVIF', 'avif', avif(), LEVEL, 1),
  photo('Telegram, WebP', 'webp', telegramWebp(), LEVEL, 6),
  photo('PNG with EXIF and XMP', 'png', png(), UPRIGHT, 6),
];

function photo(
  name: string,
  kind: FileKind,
  bytes: Uint8Array,
  size: readonly [width: number, height: number],
  orientation: number,
): Photo {
  return { name, kind, bytes, size, orientation };
}

/** Builds MP4, MOV and HEIF files: boxes with the tables that lead to their samples and items. */
import { be16, be32, box, cat, fullBox, type Part, zeros } from './build.ts';
import { AVC, AVCC } from './samples.ts';
import { FILM_TIME } from './secrets.ts';

const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
/** As of a phone that was held upright: the picture is turned by 90 degrees. */
export const TURNED = [0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000];

interface Track {
  readonly handler: string;
  readonly name: string;
  /** The entry of `stsd`. */
  readonly entry: Uint8Array;
  /** Of pictures. */
  readonly matrix?: readonly number[];
  /** One sample a chunk. */
  readonly samples: readonly Part[];
}

/** A picture track of the sample in H.264. */
export function avcTrack(name: string, matrix = UPRIGHT): Track {
  const encoder = cat([name.length], name, zeros(31 - name.length));
  const head = [
    zeros(6),
    be16(1),
    be16(0, 0),
    name.slice(0, 4),
    zeros(8),
    be16(32, 16),
    be32(0x480000, 0x480000),
  ];
  const entry = box('avc1', ...head, zeros(4), be16(1), encoder, be16(24, 0xffff), box('avcC', AVCC));
  return { handler: 'vide', name, entry, matrix, samples: [AVC] };
}

/** A track of measurements, such as of places. */
export function dataTrack(handler: string, format: string, name: string, ...samples: readonly Part[]): Track {
  return { handler, name, entry: box(format, zeros(6), be16(1), name), samples };
}

/** A film whose samples stand before its header. `header` are further boxes of `moov`, `after` follows it. */
export function film(
  brand: string,
  tracks: readonly Track[],
  header: readonly Part[],
  after: Part = '',
): Uint8Array {
  const type = box('ftyp', brand, be32(0), brand, brand === 'qt  ' ? '' : 'isom');
  const samples = tracks.flatMap((track) => track.samples.map((sample) => cat(sample)));
  let at = type.length + 8;
  const boxes = tracks.map((track, index) => {
    const sizes = track.samples.map((sample) => cat(sample).length);
    const offsets = sizes.map((size) => {
      at += size;
      return at - size;
    });
    return trackBox(track, index + 1, sizes, offsets);
  });
  const times = be32(FILM_TIME, FILM_TIME);
  const mvhd = [
    times,
    be32(600, 1200),
    be32(0x10000),
    be16(0x100),
    zeros(10),
    be32(...UPRIGHT),
    zeros(24),
    be32(99),
  ];
  return cat(
    type,
    box('mdat', ...samples),
    box('moov', fullBox('mvhd', 0, 0, ...mvhd), ...boxes, ...header),
    after,
  );
}

function trackBox(
  track: Track,
  id: number,
  sizes: readonly number[],
  offsets: readonly number[],
): Uint8Array {
  const times = be32(FILM_TIME, FILM_TIME);
  const shown = track.handler === 'vide' ? be32(32 << 16, 16 << 16) : be32(0, 0);
  const tkhd = [times, be32(id, 0, 1200), zeros(16), be32(...(track.matrix ?? UPRIGHT)), shown];
  const count = sizes.length;
  const table = box(
    'stbl',
    fullBox('stsd', 0, 0, be32(1), track.entry),
    fullBox('stts', 0, 0, be32(1, count, Math.floor(1200 / count))),
    fullBox('stsc', 0, 0, be32(1, 1, 1, 1)),
    fullBox('stsz', 0, 0, be32(0, count, ...sizes)),
    fullBox('stco', 0, 0, be32(count, ...offsets)),
  );
  const header = track.handler === 'vide' ? fullBox('vmhd', 0, 1, zeros(8)) : fullBox('nmhd', 0, 0);
  const data = box('dinf', fullBox('dref', 0, 0, be32(1), fullBox('url ', 0, 1)));
  return box(
    'trak',
    fullBox('tkhd', 0, 7, ...tkhd),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, times, be32(600, 1200), be16(0x55c4, 0)),
      fullBox('hdlr', 0, 0, 'mhlr', track.handler, 'appl', zeros(8), track.name, [0]),
      box('minf', header, data, table),
    ),
  );
}

/** A text in `udta` as QuickTime writes it: its length, its language, itself. */
export function userText(type: string, text: string): Uint8Array {
  return box(type, be16(text.length, 0x15c7), text);
}

/** The keys and values of QuickTime's `meta`. */
export function keyed(values: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(values);
  const keys = entries.map(([key]) => box('mdta', key));
  const list = entries.map(([, value], index) =>
    cat(be32(24 + value.length, index + 1), box('data', be32(1, 0), value)),
  );
  const handler = fullBox('hdlr', 0, 0, be32(0), 'mdta', zeros(13));
  return box('meta', handler, fullBox('keys', 0, 0, be32(entries.length), ...keys), box('ilst', ...list));
}

interface Item {
  readonly type: string;
  readonly content: Uint8Array;
  /** `idat` is a place within the box `meta`. */
  readonly place?: 'idat';
  /** Numbers of properties. */
  readonly properties?: readonly number[];
}

/** A picture of items, of which the first is shown, and made of the second where it is a grid. */
export function heif(
  brand: string,
  items: readonly Item[],
  properties: readonly Uint8Array[],
  after: Part = '',
): Uint8Array {
  const type = box('ftyp', brand, be32(0), 'mif1', brand);
  const build = (fileAt: number): Uint8Array => {
    let at = fileAt;
    let storeAt = 0;
    const places = items.map(({ content, place }, index) => {
      const offset = place === 'idat' ? storeAt : at;
      if (place === 'idat') storeAt += content.length;
      else at += content.length;
      return cat(be16(index + 1, place === 'idat' ? 1 : 0, 0, 1), be32(offset, content.length));
    });
    const infos = items.map((item, index) => {
      const name = item.type === 'mime' ? '\0application/rdf+xml\0' : '\0';
      // Tiles are not shown on their own.
      const isHidden = index === 1 && items[0]?.type === 'grid';
      return fullBox('infe', 2, isHidden ? 1 : 0, be16(index + 1, 0), item.type, name);
    });
    const used = items.map(({ properties: list = [] }, index) => cat(be16(index + 1), [list.length], list));
    const isGrid = items[0]?.type === 'grid';
    return fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, be32(0), 'pict', zeros(12), 'ModelOfPhone', [0]),
      fullBox('pitm', 0, 0, be16(1)),
      fullBox('iinf', 0, 0, be16(items.length), ...infos),
      isGrid ? fullBox('iref', 0, 0, box('dimg', be16(1, 1, 2))) : '',
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, 0, be32(items.length), ...used)),
      box('idat', ...items.filter(({ place }) => place === 'idat').map(({ content }) => content)),
      fullBox('iloc', 1, 0, be16(0x4400, items.length), ...places),
    );
  };
  const mdat = box('mdat', ...items.filter(({ place }) => place === undefined).map(({ content }) => content));
  return cat(type, build(type.length + build(0).length + 8), mdat, after);
}

/** The size of an item, as a property. */
export function ispe(width: number, height: number): Uint8Array {
  return fullBox('ispe', 0, 0, be32(width, height));
}

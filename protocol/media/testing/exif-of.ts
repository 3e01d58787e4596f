/** Builds the EXIF of a phone: it tells all that an EXIF can tell. */
import { be16, be32, cat, le32, zeros } from './build.ts';

interface Value {
  readonly tag: number;
  /** 2: text, 3: a number of 16 bits, 4: of 32 bits, 5: fractions, 7: anything. */
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

type Order = 'II' | 'MM';

/** What puts numbers and values into the order of bytes. */
function writer(order: Order) {
  const isLittle = order === 'II';
  const u16 = (value: number): number[] => (isLittle ? be16(value).reverse() : be16(value));
  const u32 = (...values: readonly number[]): Uint8Array => (isLittle ? le32(...values) : be32(...values));
  return {
    u16,
    u32,
    text: (tag: number, text: string): Value => ({
      tag,
      type: 2,
      count: text.length + 1,
      data: cat(text, [0]),
    }),
    short: (tag: number, value: number): Value => ({ tag, type: 3, count: 1, data: cat(u16(value), [0, 0]) }),
    long: (tag: number, value: number): Value => ({ tag, type: 4, count: 1, data: u32(value) }),
    bytes: (tag: number, data: Uint8Array): Value => ({ tag, type: 7, count: data.length, data }),
    fractions: (tag: number, ...values: readonly number[]): Value => ({
      ...{ tag, type: 5, count: values.length / 2 },
      data: u32(...values),
    }),
    /** A directory at `at`, with the values that do not fit into four bytes behind it. */
    directory: (at: number, values: readonly Value[], next = 0): Uint8Array => {
      let outside = zeros(0);
      const entries = values.map(({ tag, type, count, data }) => {
        const place = u32(at + 6 + values.length * 12 + outside.length);
        const isInside = data.length <= 4;
        if (!isInside) outside = cat(outside, data, zeros(data.length % 2));
        return cat(u16(tag), u16(type), u32(count), isInside ? cat(data, zeros(4 - data.length)) : place);
      });
      return cat(u16(values.length), ...entries, u32(next), outside);
    },
  };
}

interface ExifOptions {
  readonly order: Order;
  /** 1 to 8. */
  readonly orientation: number;
  readonly makerNote?: Uint8Array;
  /** A picture in the second directory. */
  readonly thumbnail?: Uint8Array;
}

/** A whole TIFF: maker, model, times, serial numbers, maker note, place, thumbnail. */
export function exifOf({ order, orientation, makerNote = zeros(0), thumbnail }: ExifOptions): Uint8Array {
  const to = writer(order);
  const camera = [
    to.text(0x9003, '2024:05:17 10:11:12'),
    to.text(0x9010, '+02:00'),
    to.bytes(0x927c, makerNote),
    to.text(0xa431, 'SerialOfPhone'),
    to.text(0xa434, 'LensOfPhone'),
  ];
  const latitude = [to.text(1, 'N'), to.fractions(2, 48, 1, 51, 1, 2772, 100)];
  const longitude = [to.text(3, 'E'), to.fractions(4, 2, 1, 17, 1, 4200, 100)];
  const place = [...latitude, ...longitude, to.fractions(7, 8, 1, 11, 1, 12, 1), to.text(29, '2024:05:17')];
  const first = (cameraAt: number, placeAt: number, next: number): Uint8Array => {
    const maker = [
      to.text(0x010f, 'MakerOfPhone'),
      to.text(0x0110, 'ModelOfPhone'),
      to.short(0x0112, orientation),
    ];
    const program = [to.text(0x0131, 'FirmwareOfPhone'), to.text(0x0132, '2024:05:17 10:11:12')];
    return to.directory(8, [...maker, ...program, to.long(0x8769, cameraAt), to.long(0x8825, placeAt)], next);
  };
  const cameraAt = 8 + first(0, 0, 0).length;
  const placeAt = cameraAt + to.directory(cameraAt, camera).length;
  const secondAt = placeAt + to.directory(placeAt, place).length;
  const head = [order, to.u16(42), to.u32(8), first(cameraAt, placeAt, thumbnail ? secondAt : 0)];
  const told = cat(...head, to.directory(cameraAt, camera), to.directory(placeAt, place));
  if (thumbnail === undefined) return told;
  // Six bytes and two entries: where the picture begins.
  const where = [to.long(0x0201, secondAt + 30), to.long(0x0202, thumbnail.length)];
  return cat(told, to.directory(secondAt, where), thumbnail);
}

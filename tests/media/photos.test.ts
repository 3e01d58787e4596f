/**
 * G20, judged by others: ExifTool finds no place, device or time in a stripped photo, and Chromium and libheif decode
 * the same pixels as before. The photos are built (`protocol/media/testing/phones.ts`), from the documented layouts.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../protocol/media/kinds.ts';
import { stripped } from '../../protocol/media/testing/in-memory.ts';
import { PHOTOS } from '../../protocol/media/testing/phones.ts';
import { chromiumPath, NO_CHROMIUM, sharedBrowser } from '../e2e/chromium.ts';
import { whyNotInstalled } from '../support/installed.ts';

const run = promisify(execFile);
const noExifTool = whyNotInstalled('exiftool', 'libimage-exiftool-perl');
const noHeif = whyNotInstalled('heif-convert', 'libheif-examples');

/** What ExifTool calls the groups of facts about coding; all others are of EXIF, XMP, makers, GPS and the like. */
const TECHNICAL =
  /^(SourceFile|(ExifTool|System|File|Composite|QuickTime|Meta|Track\d|RIFF|PNG|PNG-pHYs|JFIF|IFD0):.*)$/;
/** Names of tags that tell of a place, a device or a time. */
const TELLING = new RegExp(
  [
    'GPS|Latitude|Longitude|Location|City|Make\\b|Model|Software|Serial|Lens|Firmware|Vendor|Compressor(Name|Version)',
    'Date|Comment|Description$|Name$|UserData|Author|Title',
  ].join('|'),
);

type Tags = Readonly<Record<string, unknown>>;

/** The tags of a file by group and name, without those that tell nothing: zeros, and facts of the disk. */
function telling(tags: Tags): string[] {
  return Object.entries(tags)
    .filter(([tag]) => !/^(System:|SourceFile|ExifTool:)/.test(tag))
    .filter(
      ([tag]) =>
        !TECHNICAL.test(tag) || TELLING.test(tag) || (tag.startsWith('IFD0:') && tag !== 'IFD0:Orientation'),
    )
    .filter(([, value]) => !/^(0000:00:00 00:00:00|0|)$/.test(String(value).replaceAll('\0', '')))
    .map(([tag, value]) => `${tag} ${String(value)}`);
}

const folder = mkdtempSync(join(tmpdir(), 'photos-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = await Promise.all(
  PHOTOS.map(async (photo, index) => {
    const after = (await stripped(photo.kind, photo.bytes)) ?? new Uint8Array();
    const paths = ['before', 'after'].map((when) => join(folder, `${index}-${when}.${photo.kind}`)) as [
      string,
      string,
    ];
    writeFileSync(paths[0], photo.bytes);
    writeFileSync(paths[1], after);
    return { ...photo, after, paths };
  }),
);

describe.skipIf(noExifTool !== undefined)('ExifTool finds no place, device or time', () => {
  const found = new Map<string, Tags>();
  beforeAll(async () => {
    // -ee: also what is embedded, such as tracks of places; -a: each tag, as often as it is there; -n: numbers.
    const { stdout } = await run('exiftool', ['-ee', '-a', '-G1', '-j', '-n', folder], {
      maxBuffer: 2 ** 26,
    });
    for (const tags of JSON.parse(stdout) as Tags[]) found.set(String(tags.SourceFile), tags);
  });

  it.each(files)('$name', ({ paths: [before, after], orientation }) => {
    expect(telling(found.get(before) ?? {}).length).toBeGreaterThan(0);
    expect(telling(found.get(after) ?? { missing: true })).toEqual([]);
    if (orientation > 1) expect(found.get(after)?.['IFD0:Orientation']).toBe(orientation);
  });
});

describe.skipIf(chromiumPath === undefined && process.env.CI === undefined)(
  'Chromium shows the same pixels',
  () => {
    if (chromiumPath === undefined) console.info(`skipped: ${NO_CHROMIUM}`);

    it.each(files.filter(({ kind }) => kind !== 'heic'))('$name', async ({ kind, bytes, after, size }) => {
      const context = await (await sharedBrowser({ notifies: false })).newContext();
      const page = await context.newPage();
      const shown = (file: Uint8Array) =>
        page.evaluate(pixelsOf, [
          KINDS[kind].family,
          Buffer.from(file).toString('base64'),
          KINDS[kind].type,
        ] as const);
      const pixels = await shown(bytes);
      expect(pixels.size).toEqual(size);
      expect(new Set(pixels.colours).size).toBeGreaterThan(20);
      expect(await shown(after)).toEqual(pixels);
      await context.close();
    });
  },
);

/** Runs in the page: decodes a picture, or the first picture of a video. */
async function pixelsOf([family, base64, type]: readonly [family: string, base64: string, type: string]) {
  const url = `data:${family === 'video' ? 'video/mp4' : type};base64,${base64}`;
  const draw = (source: CanvasImageSource, width: number, height: number) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context?.drawImage(source, 0, 0);
    const data = context?.getImageData(0, 0, width, height).data ?? [];
    return { size: [width, height], colours: [...new Uint32Array(Uint8Array.from(data).buffer)] };
  };
  if (family === 'picture') {
    const image = new Image();
    image.src = url;
    await image.decode();
    return draw(image, image.naturalWidth, image.naturalHeight);
  }
  const video = document.createElement('video');
  video.muted = true;
  await new Promise((resolve, reject) => {
    video.requestVideoFrameCallback(resolve);
    video.onloadeddata = () => void video.play();
    video.onerror = () => reject(new Error(video.error?.message));
    video.src = url;
  });
  return draw(video, video.videoWidth, video.videoHeight);
}

describe.skipIf(noHeif !== undefined)('libheif decodes the same pixels', () => {
  it.each(files.filter(({ kind }) => kind === 'heic' || kind === 'avif'))('$name', async ({ paths }) => {
    const pictures = await Promise.all(
      paths.map(async (path) => {
        await run('heif-convert', [path, `${path}.png`]);
        return readFileSync(`${path}.png`);
      }),
    );
    const [before, after] = pictures.map(imageData);
    expect(before?.length).toBeGreaterThan(100);
    expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true);
  });
});

/** The coded pixels of a PNG, without what describes them. */
function imageData(png: Buffer): Buffer {
  return png.subarray(png.indexOf('IDAT'), png.indexOf('IEND'));
}

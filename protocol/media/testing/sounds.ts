/** Builds the shortest sounds, animations and videos whose headers are whole. */
import { be16, be32, cat, le32, type Part, riff, riffChunk, zeros } from './build.ts';
import { film } from './films.ts';
import { PNG, VP8 } from './samples.ts';

/** Two seconds. */
export function wav(): Uint8Array {
  const format = riffChunk('fmt ', [1, 0, 1, 0], le32(8000, 8000), [1, 0, 8, 0]);
  return riff('WAVE', format, riffChunk('LIST', 'INFO'), riffChunk('data', zeros(16_000)));
}

/** Two seconds at 44.1 kHz. */
export function flac(): Uint8Array {
  const rate = be32(44_100 * 4096 + 0x0f0);
  return cat('fLaC', [0x80, 0, 0, 34], be16(4096, 4096), zeros(6), rate, be32(88_200), zeros(16));
}

/** 100 frames of MPEG 1, 128 kbit/s, 44.1 kHz, as its table says: 2.612 seconds. */
export function mp3(): Uint8Array {
  const frame = cat([0xff, 0xfb, 0x90, 0], zeros(413));
  const table = cat(frame.subarray(0, 36), 'Xing', be32(1, 100));
  return cat('ID3', [4, 0, 0, 0, 0, 0, 10], zeros(10), table, zeros(417 - table.length), frame);
}

function oggPage(flags: number, position: number, packet: Part): Uint8Array {
  const body = cat(packet);
  return cat('OggS', [0, flags], le32(position, 0, 7, 0, 0), [1, body.length], body);
}

/** Opus: two seconds at 48 kHz. */
export function ogg(): Uint8Array {
  const head = oggPage(2, 0, cat('OpusHead', [1, 1, 0x38, 1], le32(48_000), zeros(3)));
  return cat(head, oggPage(4, 96_000 + 0x138, zeros(20)));
}

/** Two seconds. */
export function m4a(): Uint8Array {
  return film('M4A ', [], []);
}

function element(id: readonly number[], ...parts: readonly Part[]): Uint8Array {
  const body = cat(...parts);
  return cat(id, [0x40 + (body.length >> 8), body.length & 255], body);
}

/** 64 x 48 pixels, which are shown as 80 x 48; 1.5 seconds. */
export function webm(docType = 'webm'): Uint8Array {
  const size = cat(
    element([0xb0], [64]),
    element([0xba], [48]),
    element([0x54, 0xb0], [80]),
    element([0x54, 0xba], [48]),
  );
  const info = element([0x15, 0x49, 0xa9, 0x66], element([0x44, 0x89], be32(0x44bb8000)));
  const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], element([0xe0], size)));
  const head = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], docType));
  return cat(head, [0x18, 0x53, 0x80, 0x67, 0xff], info, tracks, [0x1f, 0x43, 0xb6, 0x75, 0xff]);
}

/** An animation of GIF, 5 x 3 pixels. */
export function gif(frames = 3): Uint8Array {
  const frame = cat([0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c], zeros(4), [5, 0, 3, 0, 0, 2, 2, 0x4c, 1, 0]);
  const all = Array.from({ length: frames }, () => frame);
  return cat('GIF89a', [5, 0, 3, 0, 0x80, 0, 0], zeros(3), [255, 255, 255], ...all, [0x3b]);
}

/** An animation of PNG: the sample, and a header that says four frames. */
export function apng(): Uint8Array {
  const header = cat(be32(8), 'acTL', be32(4, 0, 0));
  return cat(PNG.subarray(0, 33), header, PNG.subarray(33));
}

/** An animation of WebP, with two frames of the sample. */
export function animatedWebp(): Uint8Array {
  const frame = riffChunk('ANMF', zeros(6), [31, 0, 0, 15, 0, 0, 100, 0, 0, 0], VP8.subarray(12));
  const canvas = riffChunk('VP8X', [2, 0, 0, 0, 31, 0, 0, 15, 0, 0]);
  return riff('WEBP', canvas, riffChunk('ANIM', zeros(6)), frame, frame);
}

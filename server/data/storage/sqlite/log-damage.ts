/**
 * Looks for commits in the write-ahead log that SQLite will not recover. SQLite takes the log up to the first frame
 * whose checksum is wrong and silently ignores the rest (https://sqlite.org/fileformat2.html#the_write_ahead_log).
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const MAGIC = 0x377f0682;
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

interface Checksum {
  a: number;
  b: number;
}

/** The number of commits in the log that cannot be recovered; 0 for a log that is sound, empty or not there. */
export function countLostCommits(file: string): number {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return 0;
  }
  try {
    return countIn(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

function countIn(fd: number, size: number): number {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 0;
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  const salt = header.subarray(16, 24);
  const running = { a: 0, b: 0 };
  addTo(running, header.subarray(0, 24), isBigEndian);
  let isSound = header.readUInt32BE(0) >>> 1 === MAGIC >>> 1 && isStored(running, header, 24);

  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8));
  // A damaged header may name any page size.
  if (frame.length < FRAME_HEADER_BYTES + 512 || frame.length > FRAME_HEADER_BYTES + 65_536) return 0;
  let lost = 0;
  for (let at = HEADER_BYTES; at + frame.length <= size; at += frame.length) {
    readSync(fd, frame, 0, frame.length, at);
    const isOfThisLog = frame.subarray(8, 16).equals(salt);
    if (isSound && isOfThisLog) {
      addTo(running, frame.subarray(0, 8), isBigEndian);
      addTo(running, frame.subarray(FRAME_HEADER_BYTES), isBigEndian);
    }
    isSound &&= isOfThisLog && isStored(running, frame, 16);
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (!isSound && isOfThisLog && isCommit) lost++;
  }
  return lost;
}

/** Adds a part to the running checksum, word by word, two words at a time. */
function addTo(running: Checksum, part: Buffer, isBigEndian: boolean): void {
  let { a, b } = running;
  for (let at = 0; at < part.length; at += 8) {
    const first = isBigEndian ? part.readUInt32BE(at) : part.readUInt32LE(at);
    const second = isBigEndian ? part.readUInt32BE(at + 4) : part.readUInt32LE(at + 4);
    a = (a + first + b) >>> 0;
    b = (b + second + a) >>> 0;
  }
  running.a = a;
  running.b = b;
}

function isStored({ a, b }: Checksum, buffer: Buffer, at: number): boolean {
  return buffer.readUInt32BE(at) === a && buffer.readUInt32BE(at + 4) === b;
}

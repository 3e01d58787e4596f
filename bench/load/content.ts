/** The text of a bench message: its sender, its send time, and filler up to a usual length. */
import { hrtime } from 'node:process';

const TIME_DIGITS = 16;
const TIME_MARKER = Buffer.from(' ~', 'latin1');
const CONTENT_LENGTH = 64;

/** The machine's monotonic clock in microseconds. It is the same in every process. */
export function nowUs(): number {
  return Number(hrtime.bigint() / 1000n);
}

/** A text that is in every message of this sender and nowhere else. */
export function senderMarker(sender: number): string {
  return `#s${String(sender).padStart(5, '0')}#`;
}

export function messageContent(sender: number, sentAtUs: number): string {
  const time = String(sentAtUs).padStart(TIME_DIGITS, '0');
  return `${senderMarker(sender)} ~${time} `.padEnd(CONTENT_LENGTH, 'and so on ');
}

/** Calls back with the send time, in microseconds, of each message that is complete in the chunk. */
export function eachSendTime(chunk: Buffer, callback: (sentAtUs: number) => void): void {
  const skip = TIME_MARKER.length;
  for (let at = chunk.indexOf(TIME_MARKER); at >= 0; at = chunk.indexOf(TIME_MARKER, at + skip)) {
    const end = at + skip + TIME_DIGITS;
    if (end > chunk.length) return;
    callback(Number(chunk.toString('latin1', at + skip, end)));
  }
}

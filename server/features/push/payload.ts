/** What goes into a push message, and how it replaces an earlier one. */
import { createHmac } from 'node:crypto';
import type { PushPayload } from '../../../protocol/rest/push.ts';
import type { VapidKeys } from './keys.ts';

/**
 * The JSON of the largest message that every push service takes: 4096 bytes once encrypted (RFC 8030 §7.2), without the
 * header of 86 bytes, the delimiter and the tag of 16 bytes that aes128gcm adds (RFC 8188 §2).
 */
export const MAX_PAYLOAD_BYTES = 4096 - 86 - 1 - 16;
const MAX_TITLE = 200;
const ELLIPSIS = '…';

/** As JSON, with as much of the texts as fits. A cut is between two code points and shows an ellipsis. */
export function encodePayload({ title, body, ...rest }: PushPayload): string {
  const shortTitle = cut(title, MAX_TITLE * 6, MAX_TITLE);
  const room = MAX_PAYLOAD_BYTES - sizeOf({ ...rest, title: shortTitle, body: '' });
  return JSON.stringify({ ...rest, title: shortTitle, body: cut(body, room) });
}

/** The longest start of a text that stays within both limits: bytes of JSON, and code points. */
function cut(text: string, maxBytes: number, maxLength = Number.POSITIVE_INFINITY): string {
  // A lone surrogate would become another character on the way.
  const points = [...text.toWellFormed()];
  const ellipsis = Buffer.byteLength(ELLIPSIS);
  let bytes = 0;
  let fits = 0;
  for (const [index, point] of points.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(point)) - 2;
    if (bytes > maxBytes || index >= maxLength) return `${points.slice(0, fits).join('')}${ELLIPSIS}`;
    if (bytes <= maxBytes - ellipsis && index < maxLength - 1) fits = index + 1;
  }
  return points.join('');
}

function sizeOf(payload: PushPayload): number {
  return Buffer.byteLength(JSON.stringify(payload));
}

/**
 * The topic of a message (RFC 8030 §5.4): a push service keeps the last message of a topic, so a browser that comes
 * back is not shown what it missed one by one. Keyed, so that the service learns nothing about rooms.
 */
export function topicOf(tag: string, { privateKey }: VapidKeys): string {
  return createHmac('sha256', privateKey).update(`topic ${tag}`).digest('base64url').slice(0, 32);
}

/** The browser's side of RFC 8291: decrypts a push message. Written from the RFCs, apart from what encrypts. */
import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';

/** The keys of a subscription, as base64url. */
export interface SubscriberKeys {
  privateKey: string;
  /** The public key, which the server knows. */
  p256dh: string;
  auth: string;
}

/** Throws when the message is not one record of aes128gcm (RFC 8188) that was encrypted for these keys. */
export function decrypt(message: Buffer, { privateKey, p256dh, auth }: SubscriberKeys): Buffer {
  const salt = message.subarray(0, 16);
  const recordSize = message.readUInt32BE(16);
  const keyLength = message.readUInt8(20);
  const serverKey = message.subarray(21, 21 + keyLength);
  const record = message.subarray(21 + keyLength);
  if (keyLength !== 65) throw new Error(`the key has ${keyLength} bytes`);
  if (record.length > recordSize) throw new Error('more than one record');

  const own = createECDH('prime256v1');
  own.setPrivateKey(privateKey, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), serverKey]);
  const secret = hkdfSync('sha256', own.computeSecret(serverKey), Buffer.from(auth, 'base64url'), info, 32);
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${what}\0`, bytes));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the last record has no delimiter');
  return padded.subarray(0, end);
}

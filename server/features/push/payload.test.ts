import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pushPayload } from '../../../protocol/rest/push.ts';
import { encodePayload, MAX_PAYLOAD_BYTES, topicOf } from './payload.ts';

const rest = { url: '/rooms/9007199254740991/m/9007199254740991', tag: 'room 9007199254740991' };
const keys = { publicKey: '', privateKey: 'secret' };

describe('encodePayload', () => {
  it('what fits stays as it is', () => {
    const payload = { title: 'Ann', body: 'lunch? \u{1F374} "now"\n', ...rest, room_id: 7, message_id: 4711 };
    expect(JSON.parse(encodePayload(payload))).toEqual(payload);
  });

  it('a body that is too long is cut between two code points, with an ellipsis, and fills the message', () => {
    for (const point of ['x', 'é', '語', '\u{1F374}', '"', '\n', '\u0001']) {
      const encoded = encodePayload({ title: 'Ann', body: point.repeat(4000), ...rest });
      const size = Buffer.byteLength(encoded);
      expect(size).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
      expect(size).toBeGreaterThan(MAX_PAYLOAD_BYTES - 10);
      const { body } = pushPayload.parse(JSON.parse(encoded));
      expect(body.replaceAll(point, '')).toBe('…');
    }
  });

  it('whatever the texts, it fits, and begins as they do', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4000 }),
      fc.string({ unit: 'grapheme', maxLength: 4000 }),
    );
    fc.assert(
      fc.property(text, text, (title, body) => {
        const encoded = encodePayload({ title, body, ...rest });
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
        const decoded = pushPayload.parse(JSON.parse(encoded));
        for (const [whole, shown] of [
          [title.toWellFormed(), decoded.title],
          [body.toWellFormed(), decoded.body],
        ] as const)
          expect(shown === whole || (shown.endsWith('…') && whole.startsWith(shown.slice(0, -1)))).toBe(true);
      }),
    );
  });

  it('half a character becomes a replacement character', () => {
    expect(JSON.parse(encodePayload({ title: '\ud83c', body: '', ...rest })).title).toBe('\ufffd');
  });
});

describe('topicOf', () => {
  it('is the same for the same tag, and another one for another tag or installation', () => {
    const topics = [
      topicOf('room 1', keys),
      topicOf('room 2', keys),
      topicOf('room 1', { ...keys, privateKey: 'x' }),
    ];
    expect(topicOf('room 1', keys)).toBe(topics[0]);
    expect(new Set(topics).size).toBe(3);
    for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/);
  });
});

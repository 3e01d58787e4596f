import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGuessable } from './secret-strength.ts';

describe('guessable', () => {
  test.each([
    ['an example of jwt.io', 'your-256-bit-secret-your-256-bit'],
    ['an example of jwt.io', 'your-256-bit-secret'.padEnd(40, '!')],
    ['an example of jwt.io', 'a-string-secret-at-least-256-bits-long'],
    ['known words', 'supersecretjwtkeysupersecretjwtkey'],
    ['known words', 'SUPER_SECRET_JWT_SIGNING_KEY_DO_NOT_SHARE'],
    ['known words', 'change-me-change-me-change-me-change-me'],
    ['known words', 'please-change-this-secret-in-production!!'],
    ['known words', 'this_is_a_very_long_secret_key_for_jwt_tokens'],
    ['known words with digits for letters', 'sup3rs3cr3tjwtk3y-ch4ng3m3-p4ssw0rd'],
    ['known words and a year', 'roomful-production-jwt-secret-2026'],
    ['few different characters', 'abababababababababababababababababababab'],
    ['one character', 'a'.repeat(64)],
    ['a sequence', '0123456789abcdef0123456789abcdef'],
    ['a sequence', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['a sequence', '12345678901234567890123456789012'],
    ['a sequence', 'zyxwvutsrqponmlkjihgfedcba9876543210'],
    ['the keyboard', 'qwertyuiopasdfghjklzxcvbnm1234567890'],
    ['a short part, repeated', 'kX9#mQ2vkX9#mQ2vkX9#mQ2vkX9#mQ2v'],
    ['four words, of which one comes twice', 'correct horse battery staple correct'],
    ['four words', 'Correct-Horse-Battery-Staple-2026'],
    ['four words without spaces', 'CorrectHorseBatteryStapleCorrect!'],
    ['four words without spaces', 'correcthorsebatterystaplecorrect'],
    ['a sentence of known words and three others', 'please do not share our marvellous wonderful kingdom'],
    ['two words again and again', 'elephant giraffe elephant giraffe elephant'],
    ['too short, however random', 'kX9mQ2vLp7RtYw3Zb8NcJd5F'],
  ])('%s: %s', (_, secret) => expect(isGuessable(secret)).toBe(true));
});

describe('not guessable', () => {
  test.each([
    ['openssl rand -hex 16', '9f86d081884c7d659a2feaa0c55ad015'],
    ['openssl rand -base64 32', 'Qm7pXv0sT3kz8LrYdN1wGhJcEbFuAo5iKqRtVxWyZM4='],
    ['a UUID', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['six words', 'walrus-teapot-orbit-velvet-quartz-maple'],
    ['random letters', 'kzqvhtwyxbnmrgjdplfcsuoeaikqwzvt'],
  ])('%s: %s', (_, secret) => expect(isGuessable(secret)).toBe(false));

  test('whatever a generator makes, in any usual spelling', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('hex', 'base64', 'base64url'), (seed, spelling) => {
        const bytes = createHash('sha256').update(`secret ${seed}`).digest();
        expect(isGuessable(bytes.toString(spelling as 'hex'))).toBe(false);
        expect(isGuessable(bytes.subarray(0, 24).toString('base64'))).toBe(false);
        expect(isGuessable(bytes.subarray(0, 16).toString('hex'))).toBe(false);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

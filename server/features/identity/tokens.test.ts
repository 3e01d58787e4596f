import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deriveKeys } from './secret.ts';
import { SignedTokens } from './tokens.ts';

const ANN = { userId: 1, username: 'ann', sessionId: 2 };
const KIND = { audience: 'roomful:test', extra: z.object({ room: z.int() }) };
const { access, ticket } = deriveKeys('a secret', 'an epoch');
const clock = { now: 1_000_000_000_999 };
const now = () => clock.now;
const tokens = new SignedTokens(KIND, { signingKey: access, ttlS: 60, now });

test('a token comes back as what was signed, with times in whole seconds', () => {
  const { token, jti } = tokens.sign(ANN, { room: 3 });
  const times = { issuedAt: 1_000_000_000_000, expiresAt: 1_000_000_060_000 };
  expect(tokens.verify(token)).toEqual({ ...ANN, ...times, jti, extra: { room: 3 } });
});

describe('verify refuses', () => {
  test('a token that differs in any one character, or is longer or shorter', () => {
    const { token } = tokens.sign(ANN, { room: 3 });
    fc.assert(
      fc.property(
        fc.nat({ max: token.length }),
        fc.constantFrom(0, 1),
        fc.oneof(fc.constant(''), fc.string({ unit: 'binary', minLength: 1, maxLength: 3 })),
        (at, removed, inserted) => {
          const changed = token.slice(0, at) + inserted + token.slice(at + removed);
          fc.pre(changed !== token);
          expect(tokens.verify(changed)).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('any text at all', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => tokens.verify(text) === undefined));
  });

  test('a token of another kind, and one signed with another key', () => {
    const other = { ...KIND, audience: 'roomful:other' };
    for (const signer of [
      new SignedTokens(other, { signingKey: access, ttlS: 60, now }),
      new SignedTokens(KIND, { signingKey: ticket, ttlS: 60, now }),
      new SignedTokens(KIND, { signingKey: { ...access, key: ticket.key }, ttlS: 60, now }),
      new SignedTokens(KIND, { signingKey: { ...access, id: ticket.id }, ttlS: 60, now }),
    ])
      expect(tokens.verify(signer.sign(ANN, { room: 3 }).token)).toBeUndefined();
  });

  test('a token that lacks the claims of its kind', () => {
    const bare = new SignedTokens({ ...KIND, extra: z.object({}) }, { signingKey: access, ttlS: 60, now });
    expect(tokens.verify(bare.sign(ANN, {}).token)).toBeUndefined();
  });

  test('an expired token, by the clock that it was given', () => {
    const past = { now: 5_000_000 };
    const brief = new SignedTokens(KIND, { signingKey: access, ttlS: 60, now: () => past.now });
    const { token } = brief.sign(ANN, { room: 3 });
    past.now += 59_999;
    expect(brief.verify(token)).toBeDefined();
    past.now += 1;
    expect(brief.verify(token)).toBeUndefined();
  });

  test('a token that is older than tokens live since the last restart', () => {
    const { token } = tokens.sign(ANN, { room: 3 });
    const later = () => clock.now + 10_000;
    expect(
      new SignedTokens(KIND, { signingKey: access, ttlS: 10, now: later }).verify(token),
    ).toBeUndefined();
    expect(new SignedTokens(KIND, { signingKey: access, ttlS: 11, now: later }).verify(token)).toBeDefined();
  });
});

test('no two tokens have one id, however many are signed', () => {
  const count = 2000;
  const ids = new Set(Array.from({ length: count }, () => tokens.sign(ANN, { room: 3 }).jti));
  expect(ids.size).toBe(count);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

test('keys differ by purpose, secret and epoch; only the one for refresh tokens is the same in every epoch', () => {
  const all = ['one secret', 'another'].flatMap((secret) =>
    ['one epoch', 'another'].map((epoch) => deriveKeys(secret, epoch)),
  );
  const signing = all.flatMap((keys) => [keys.access, keys.ticket]);
  expect(new Set(signing.map(({ id }) => id)).size).toBe(8);
  expect(new Set(signing.map(({ key }) => Buffer.from(key).toString('hex'))).size).toBe(8);
  // A client that repeats an exchange after a restart with a new version gets the same successor.
  expect(new Set(all.map(({ refresh }) => Buffer.from(refresh).toString('hex'))).size).toBe(2);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimitKey } from './rate-key.ts';
import { normalizedPath } from './request-path.ts';

const CLIENT = '203.0.113.7';

/** Writes every character of a path as escapes, some of them in lower case. */
function escapeAll(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte, i) => `%${byte.toString(16).padStart(2, '0')[i % 2 === 0 ? 'toUpperCase' : 'toLowerCase']()}`)
    .join('');
}

describe('query strings and path spellings share one count', () => {
  it.each([
    '/api/v1/rooms/7/messages',
    '/api/v1/rooms/7/messages?limit=5',
    '/api/v1/rooms/7/messages#end',
    '/api/v1/rooms/7/messages/',
    '//api/v1//rooms/7/messages',
    '/api/v1/./rooms/7/messages',
    '/api/v1/x/../rooms/7/messages',
    '/%61pi/v1/r%6Foms/%37/messages',
    '/api%2Fv1%2frooms/7/messages',
    '/api/v1/%2e/rooms/7/messages',
    '/api/v1/rooms/007/messages',
    'http://roomful.example/api/v1/rooms/7/messages?limit=5',
    'HTTP://roomful.example:8080/api/v1/rooms/7/messages',
  ])('%s', (target) => {
    expect(rateLimitKey(CLIENT, target, true)).toBe(`${CLIENT} /api/v1/rooms/7/messages`);
  });

  it.each([
    ['/api/v1/rooms', '/api/v1/rooms/7/messages'],
    ['/api/v1/rooms/7/messages', '/api/v1/rooms/8/messages'],
    ['/api/v1/rooms/7/messages', '/api/v1/rooms/70/messages'],
    ['/api/v1/rooms/0/messages', '/api/v1/rooms/00a/messages'],
    ['/health', '/HEALTH'],
    ['/', '/health'],
  ])('%s and %s are two paths', (a, b) => {
    expect(rateLimitKey(CLIENT, a, true)).not.toBe(rateLimitKey(CLIENT, b, true));
  });

  it('each address has its own count; an IPv6 /64 is one address', () => {
    expect(rateLimitKey('203.0.113.8', '/', true)).not.toBe(rateLimitKey(CLIENT, '/', true));
    expect(rateLimitKey('2001:db8::1', '/', true)).toBe(rateLimitKey('2001:db8::ffff', '/', true));
    expect(rateLimitKey('::ffff:203.0.113.7', '/', true)).toBe(rateLimitKey(CLIENT, '/', true));
  });

  it('any path and any spelling of it have one key', () => {
    const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((s) => !/^[./]|^0|\//u.test(s));
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 5 }),
        fc.webQueryParameters(),
        (path, query) => {
          const plain = `/${path.map(encodeURIComponent).join('/')}`;
          const odd = `//./${path.map(escapeAll).join('//x/../')}/?${query}`;
          expect(rateLimitKey(CLIENT, odd, true)).toBe(rateLimitKey(CLIENT, plain, true));
        },
      ),
    );
  });
});

describe('paths that match no route share one count', () => {
  it('for every kind of target', () => {
    const keys = ['/a', '/b?c', '/%zz', '*', '', '/a/../..'].map((target) =>
      rateLimitKey(CLIENT, target, false),
    );
    expect(new Set(keys)).toEqual(new Set([`${CLIENT} *`]));
  });

  it.each(['/%', '/%zz', '/%c0%ae', '/%ff', 'rooms', '*', '', 'ftp://x/y'])(
    '%j is no path at all',
    (target) => {
      expect(normalizedPath(target)).toBeNull();
      expect(rateLimitKey(CLIENT, target, true)).toBe(`${CLIENT} *`);
    },
  );

  it('no spelling of a path that exists shares it', () => {
    expect(rateLimitKey(CLIENT, '/*', true)).toBe(`${CLIENT} /*`);
  });
});

describe('the memory for a key is bounded', () => {
  it('a key has at most 180 characters, and long paths stay apart', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000, size: 'max' }), fc.boolean(), (text, matched) => {
        expect(rateLimitKey('ffff:ffff:ffff:ffff::', `/${text}`, matched).length).toBeLessThanOrEqual(180);
      }),
    );
    const long = `/${'a'.repeat(5000)}`;
    expect(rateLimitKey(CLIENT, long, true)).not.toBe(rateLimitKey(CLIENT, `${long}b`, true));
  });

  it('dot segments never climb above the root', () => {
    expect(normalizedPath('/../../etc/passwd')).toBe('/etc/passwd');
    expect(normalizedPath('/..')).toBe('/');
  });
});

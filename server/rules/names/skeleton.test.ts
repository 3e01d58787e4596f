import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nameKey } from '../../../protocol/text.ts';
import { mixesScripts, skeleton } from './skeleton.ts';

describe('mixesScripts', () => {
  test.each([
    'ann',
    'Ann 2',
    'Zoë',
    'Ольга',
    'Ольга_7',
    'Νίκος',
    '水木',
    'みずきユイ水',
    '김水',
    'ㄅ水',
    'سارة 9',
    '😀😀',
    'é\u0301',
  ])('not %s', (name) => expect(mixesScripts(name)).toBe(false));
  test.each(['pаypal', 'раураl', 'annα', 'ann水', '水Ольга', 'סarah'])('%s', (name) =>
    expect(mixesScripts(name)).toBe(true),
  );
});

describe('skeleton', () => {
  const of = (name: string) => skeleton(nameKey(name));

  test.each([
    ['paypal', 'pаypal'],
    ['paypal', 'раураl'],
    ['Scope', 'ѕсоре'],
    ['ann', 'аnn'],
  ])('%s looks like %s', (name, other) => expect(of(other)).toBe(of(name)));

  test.each([
    ['ann', 'anna'],
    ['ann', 'bob'],
    ['Ольга', 'Olga'],
  ])('%s does not look like %s', (name, other) => expect(of(other)).not.toBe(of(name)));

  it('is the same however often and in whatever form it is taken', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(skeleton(text.normalize('NFC'))).toBe(skeleton(text.normalize('NFD')));
      }),
    );
  });
});

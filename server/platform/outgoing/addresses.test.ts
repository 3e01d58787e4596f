import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGlobalUnicast } from './addresses.ts';

/** First and last of each range that is not on the public internet, and the neighbours that are. */
const INSIDE = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ...['172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255', '192.0.2.0', '192.0.2.255'],
  ...['192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.7'],
  // Of clouds: public by their numbers, and private by what they lead to.
  ...['168.63.129.16', '161.26.0.0', '161.26.255.255', '166.8.0.0', '166.11.255.255', '100.100.100.200'],
  ...['::ffff:168.63.129.16', '64:ff9b::168.63.129.16', '2002:a83f:8110::1', '192.0.0.192', 'fd20:ce::254'],
  ...['203.0.113.0', '203.0.113.255', '224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
  ...['::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::', '100::1', '1::', '1fff::1'],
  ...['2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff::1', '2001:db8::', '2001:db8:ffff::1'],
  ...[
    '2002::1',
    '2002:7f00:1::',
    '3fff::1',
    '3fff:fff:ffff::',
    '4000::',
    '5f00::1',
    'fc00::',
    'fd00:ec2::254',
  ],
  ...['fdff:ffff::', 'fe80::1', 'febf::1', 'fec0::1', 'ff00::', 'ff02::1', 'ffff::'],
];
const OUTSIDE = [
  ...[
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...['168.63.129.15', '168.63.129.17', '161.25.255.255', '161.27.0.0', '166.7.255.255', '166.12.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...[
    '2000::',
    '2001:200::1',
    '2001:db7::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700::1111',
    '3ffe::1',
    '3fff:1000::',
  ],
];

describe('global unicast addresses are public, all others are not', () => {
  it.each(INSIDE)('%s is not', (address) => expect(isGlobalUnicast(address)).toBe(false));
  it.each(OUTSIDE)('%s is', (address) => expect(isGlobalUnicast(address)).toBe(true));

  it.each([
    '',
    ' ',
    'localhost',
    '8.8.8',
    '8.8.8.8 ',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '2606:4700::1%eth0',
  ])('a text that is no plain address is not: %j', (text) => expect(isGlobalUnicast(text)).toBe(false));

  it('no IPv6 address that carries an IPv4 address is, whichever it carries', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const carrier of [
          ...[`::${address}`, `::ffff:${address}`, `::ffff:${hex}`, `::ffff:0:${hex}`, `64:ff9b::${hex}`],
          ...[`64:ff9b:1::${hex}`, `2002:${hex}::1`, `2001::${hex}`],
        ])
          expect([carrier, isGlobalUnicast(carrier)]).toEqual([carrier, false]);
      }),
    );
  });
});

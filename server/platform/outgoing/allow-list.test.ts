import { describe, expect, it } from 'vitest';
import { AllowList, isAllowEntry } from './allow-list.ts';

describe('OUTGOING_ALLOW', () => {
  it.each([
    ...['push.internal', 'Push.Internal:8443', 'localhost', '10.1.2.3', '10.0.0.0/8', '127.0.0.1:9000'],
    ...['10.0.0.0/8:8080', '::1', 'fd00::/8', '[::1]', '[::1]:8080', '[fd00::/8]:8080'],
  ])('may have %s', (item) => expect(isAllowEntry(item)).toBe(true));

  it.each([
    ...['', ':', ':80', 'a:0', 'a:65536', 'a:b', 'a/b', 'http://a', 'a@b', 'a b', '0.0.0.0/0', '::/0'],
    ...['10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '[10.0.0.1]', '[a]', '[::1', 'fe80::1%eth0', '::1/129'],
    ...['2130706433', '0x7f000001', '0177.0.0.1', '*'],
  ])('may not have %j', (item) => expect(isAllowEntry(item)).toBe(false));

  it('without a port an entry stands for 80 and 443, with one for that port alone', () => {
    const list = new AllowList(['push.internal', 'other.internal:8443', '10.0.0.0/8:9000', '[::1]:9000']);
    const allowed = [
      ...[80, 443, 8443].map((port) => list.names('push.internal', port)),
      ...[80, 443, 8443].map((port) => list.names('other.internal', port)),
      ...[80, 9000].map((port) => list.names('10.1.2.3', port)),
      ...[80, 9000].map((port) => list.names('::1', port)),
    ];
    expect(allowed).toEqual([true, true, false, false, false, true, false, true, false, true]);
  });

  it('a name allows whatever addresses it has, a range allows its addresses under any name', () => {
    const list = new AllowList(['push.internal', '10.0.0.0/8']);
    expect(list.allows('push.internal', '192.168.1.1', 443)).toBe(true);
    expect(list.allows('x.push.internal', '192.168.1.1', 443)).toBe(false);
    expect(list.allows('anything.example', '10.9.8.7', 443)).toBe(true);
    expect(list.allows('anything.example', '::ffff:10.9.8.7', 443)).toBe(false);
    expect(list.allows('anything.example', '11.0.0.1', 443)).toBe(false);
  });
});

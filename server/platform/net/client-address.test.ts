import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { addressKey, createClientAddressOf, UNKNOWN_ADDRESS } from './client-address.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** What the server makes of one real request from 127.0.0.1 with such headers. */
async function addressOf(trustProxy: string[], forwarded: string[]): Promise<string> {
  const clientAddressOf = createClientAddressOf({ trustProxy, onIgnoredHeader: () => {} });
  const server = createServer((req, res) => res.end(clientAddressOf(req))).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return await new Promise((resolve, reject) => {
    const headers = forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {};
    request({ port, host: '127.0.0.1', headers, agent: false }, (res) => {
      res.setEncoding('utf8').once('data', resolve);
    })
      .once('error', reject)
      .end();
  });
}

/** A request from any peer, as far as the function looks. */
function requestFrom(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket, headers } as unknown as IncomingMessage;
}

function clientOf(trustProxy: string[], peer: string | undefined, forwarded?: string): string {
  return createClientAddressOf({ trustProxy, onIgnoredHeader: () => {} })(requestFrom(peer, forwarded));
}

describe('forwarded headers count only from TRUST_PROXY peers', () => {
  it('without a header the peer is the client', async () => {
    expect(await addressOf([], [])).toBe('127.0.0.1');
    expect(await addressOf(['127.0.0.1'], [])).toBe('127.0.0.1');
  });

  it('from an untrusted peer it is ignored', async () => {
    expect(await addressOf([], ['203.0.113.7'])).toBe('127.0.0.1');
    expect(await addressOf(['10.0.0.0/8'], ['203.0.113.7'])).toBe('127.0.0.1');
  });

  it('from a trusted peer the nearest untrusted hop is the client, not the first of the list', async () => {
    expect(await addressOf(['127.0.0.1'], ['203.0.113.7'])).toBe('203.0.113.7');
    expect(await addressOf(['127.0.0.1'], ['1.1.1.1, 203.0.113.7'])).toBe('203.0.113.7');
    expect(await addressOf(['127.0.0.0/8', '10.0.0.0/8'], ['1.1.1.1, 203.0.113.7, 10.1.2.3'])).toBe(
      '203.0.113.7',
    );
  });

  it('a header sent twice is one list', async () => {
    expect(await addressOf(['127.0.0.1'], ['1.1.1.1', '203.0.113.7'])).toBe('203.0.113.7');
  });

  it('warns once, naming the peer', () => {
    const warnings: string[] = [];
    const of = createClientAddressOf({
      trustProxy: ['10.0.0.1'],
      onIgnoredHeader: (peer) => warnings.push(peer),
    });
    for (let i = 0; i < 3; i++) of(requestFrom('::ffff:192.0.2.1', '1.1.1.1'));
    of(requestFrom('10.0.0.1', '1.1.1.1'));
    expect(warnings).toEqual(['192.0.2.1']);
  });

  it.each([
    ['unknown', '10.0.0.1'],
    ['', '10.0.0.1'],
    [',,,', '10.0.0.1'],
    ['<script>', '10.0.0.1'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['203.0.113.7, unknown', '10.0.0.1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('what a trusted proxy passes on unread counts as the proxy: %j is %s', (header, client) => {
    expect(clientOf(['10.0.0.0/8'], '10.0.0.1', header)).toBe(client);
  });

  it('all peers without an address are one unknown client', () => {
    expect(clientOf(['10.0.0.1'], undefined, '1.1.1.1')).toBe(UNKNOWN_ADDRESS);
  });

  it('an IPv4-mapped proxy is the IPv4 proxy', () => {
    expect(clientOf(['10.0.0.1'], '::ffff:10.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
  });

  it('never fails, whatever the header holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV6(), (header, peer) => {
        const client = clientOf(['10.0.0.0/8', '::/1', '8000::/1'], peer, header);
        expect(addressKey(client).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('IPv6 counts by /64, IPv4-mapped addresses as IPv4', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::203.0.113.7', '0:0:0:0::/64'],
    [UNKNOWN_ADDRESS, UNKNOWN_ADDRESS],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('two addresses share a key exactly when their first four groups are equal', () => {
    const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(groups, groups, groups, (network, hostA, hostB) => {
        const write = (host: number[]) => [...network, ...host].map((group) => group.toString(16)).join(':');
        expect(addressKey(write(hostA))).toBe(addressKey(write(hostB)));
        const other = [(network[0] ?? 0) ^ 1, ...network.slice(1)]
          .map((group) => group.toString(16))
          .join(':');
        expect(addressKey(`${other}::1`)).not.toBe(addressKey(write(hostA)));
      }),
    );
  });

  it('every IPv4 address mapped into IPv6 counts as itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressKey(`::ffff:${address}`)).toBe(address);
      }),
    );
  });
});

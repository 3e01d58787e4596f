import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listen, outgoing, REFUSED } from './testing/listening.ts';

describe('Outgoing: what it refuses', () => {
  it.each([
    ...['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/'],
    ...['http://127.0.0.1./', 'http://127。0。0。1/', 'http://①②⑦.0.0.1/', 'http://%31%32%37.0.0.1/'],
    ...['http://[::1]/', 'http://[::ffff:7f00:1]/', 'http://[::ffff:127.0.0.1]/', 'http://[fe80::1%25lo]/'],
    ...['http://[64:ff9b::7f00:1]/', 'http://0/', 'http://169.254.169.254/', 'http://[fd00:ec2::254]/'],
    ...['https://10.0.0.1/', 'https://8.8.8.8:22/', 'https://push.example:8443/', 'http://push.example:0/'],
    ...['ftp://push.example/', 'file:///etc/passwd', 'data:,x', 'javascript:1', 'push.example', '', '//x'],
    ...['https://user@push.example/', 'https://:password@push.example/', 'https://[::1', 'https://a b/'],
  ])('%s, without a lookup', async (url) => {
    const client = outgoing({ resolve: () => Promise.reject(new Error('looked up')) });
    await expect(client.request(url)).rejects.toMatchObject(REFUSED);
  });

  it('addresses that are not public, in any spelling', async () => {
    const part = fc.nat(255);
    const inner = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 224, 255), part, part, part),
      fc.tuple(fc.constant(192), fc.constant(168), part, part),
      fc.tuple(fc.constant(169), fc.constant(254), part, part),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), part, part),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), part, part),
    );
    const base = fc.constantFrom(8, 10, 16);
    const write = (value: number, radix: number) =>
      `${radix === 8 ? '0' : radix === 16 ? '0x' : ''}${value.toString(radix)}`;
    const client = outgoing({ resolve: () => Promise.reject(new Error('looked up')) });
    await fc.assert(
      fc.asyncProperty(
        inner,
        fc.tuple(base, base, base, base),
        fc.integer({ min: 1, max: 4 }),
        async (address, bases, parts) => {
          // The last part stands for all bytes that are left (inet_aton).
          const last = address.slice(parts - 1).reduce((number, byte) => number * 256 + byte, 0);
          const spelling = [...address.slice(0, parts - 1), last]
            .map((value, index) => write(value, bases[index] ?? 10))
            .join('.');
          await expect(client.request(`http://${spelling}/`)).rejects.toMatchObject(REFUSED);
        },
      ),
    );
  });

  it('a name whose addresses are all refused', async () => {
    const port = await listen((_, response) => response.end());
    const client = outgoing({
      allow: [`10.0.0.1:${port}`],
      resolve: async () => ['127.0.0.1', '::1', '::ffff:127.0.0.1'],
    });
    await expect(client.request(`http://push.example:${port}/`)).rejects.toMatchObject(REFUSED);
    await expect(client.request('https://push.example/')).rejects.toMatchObject(REFUSED);
  });

  it('this machine by its name, as the system knows it', async () => {
    const error = await outgoing()
      .request('http://localhost/')
      .catch((error: unknown) => error);
    // Where DNS does not know the name, there is no address.
    expect(['refused', 'unreachable']).toContain((error as { reason: string }).reason);
  });
});

describe('Outgoing: the address that was checked is the one that is connected to', () => {
  it('a name that changes its address between lookups is looked up once', async () => {
    let requests = 0;
    const port = await listen((_, response) => response.end(String(++requests)));
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    let lookups = 0;
    const client = outgoing({
      allow: [`127.0.0.2:${port}`],
      resolve: async () => answers[lookups++] ?? ['127.0.0.1'],
    });
    // Nothing listens at the checked address. The server at the second one is not reached.
    await expect(client.request(`http://rebound.example:${port}/`)).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect({ lookups, requests }).toEqual({ lookups: 1, requests: 0 });
    await expect(client.request(`http://rebound.example:${port}/`)).rejects.toMatchObject(REFUSED);
    expect({ lookups, requests }).toEqual({ lookups: 2, requests: 0 });
  });

  it('of several addresses only those that pass are tried', async () => {
    let requests = 0;
    const port = await listen((_, response) => response.end(String(++requests)));
    const client = outgoing({
      allow: [`127.0.0.2:${port}`],
      resolve: async () => ['127.0.0.1', '127.0.0.2'],
    });
    await expect(client.request(`http://mixed.example:${port}/`)).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect(requests).toBe(0);
  });

  it('the request names the host as the URL has it', async () => {
    const port = await listen((request, response) => response.end(request.headers.host));
    const client = outgoing({ allow: [`push.internal:${port}`], resolve: async () => ['127.0.0.1'] });
    expect(String((await client.request(`http://push.internal:${port}/`)).body)).toBe(
      `push.internal:${port}`,
    );
  });
});

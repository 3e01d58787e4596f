import { describe, expect, test } from 'vitest';
import { ServerProcess } from '../support/server-process.ts';
import { Page } from './page.ts';
import { BEHIND_PROXY, describeProxy } from './proxy.contract.ts';
import { ProxyProcess, whyNoProxy } from './proxy-process.ts';

describeProxy('nginx', 'nginx.conf.example');

/** The file without the lines that hold `text`. */
const without = (text: string) => (sample: string) =>
  sample
    .split('\n')
    .filter((line) => !line.includes(text))
    .join('\n');

const withHost = (sample: string) => sample.replaceAll(/(proxy_set_header .*)\$http_host/g, '$1$host');

describe.skipIf(whyNoProxy('nginx') !== undefined)('an nginx.conf with a mistake', () => {
  test.each<[string, (sample: string) => string, number, RegExp]>([
    ['Upgrade is not passed', without('Upgrade '), 426, /let the proxy pass Upgrade and Connection/],
    ['HTTP/1.0 to Roomful', without('proxy_http_version'), 426, /proxy_http_version 1\.1/],
    ['$host, which has no port', withHost, 403, /pass the Host header with its port/],
    ['no Host at all', without('$http_host'), 403, /pass the Host header/],
    ['no X-Forwarded-Proto', without('X-Forwarded-Proto'), 403, /let the proxy send X-Forwarded-Proto/],
  ])('%s: the socket is refused, and the log says what to set', async (_, change, status, advice) => {
    // A server logs such a warning once.
    await using server = await ServerProcess.start({ env: BEHIND_PROXY });
    await using proxy = await ProxyProcess.start('nginx', server.port, change);
    expect((await new Page(proxy).open('none')).status).toBe(status);
    await server.logged(({ level, msg, remedy }) => level === 40 && advice.test(`${msg} ${remedy}`));
  });

  test('without TRUST_PROXY: refused, and the log names the setting and the address', async () => {
    await using untrusting = await ServerProcess.start();
    await using proxy = await ProxyProcess.start('nginx', untrusting.port);
    expect((await new Page(proxy).open('none')).status).toBe(403);
    await untrusting.logged(({ remedy }) => /set TRUST_PROXY to .*\(127\.0\.0\.1\)/.test(String(remedy)));
  });

  test('PUBLIC_URL makes up for wrong headers of host and scheme', async () => {
    await using server = await ServerProcess.start({ env: BEHIND_PROXY });
    await using proxy = await ProxyProcess.start('nginx', server.port, (sample) =>
      without('X-Forwarded-Proto')(withHost(sample)),
    );
    await server.stop();
    await server.restart({ PUBLIC_URL: proxy.origin });
    const page = new Page(proxy);
    expect((await page.open(await page.ticket())).status).toBe(101);
  });
});

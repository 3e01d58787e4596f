/** Links that are meant to make the server reach what their author cannot: nothing of it is opened. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, outgoing } from '../../platform/outgoing/testing/listening.ts';
import { Fetcher } from './fetcher.ts';

const PAGE = '<title>Inner</title><meta property="og:image" content="/inner.png">';
const NOTHING = { outcome: 'nothing' };

/** What nobody may reach, on this machine. */
let inner = 0;
let reached: string[] = [];
beforeEach(async () => {
  reached = [];
  inner = await listen((request, response) => {
    reached.push(String(request.url));
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
});

/** The port of the inner server is allowed for another host, so that the address alone is what refuses it. */
const fetcher = (
  allow: string[] = [],
  resolve: (name: string) => Promise<string[]> = () => Promise.reject(new Error()),
) => new Fetcher(outgoing({ allow: [`10.99.99.99:${inner}`, ...allow], resolve }));

it('the inner server is there: whom it is allowed to reaches it', async () => {
  const subject = fetcher([`127.0.0.1:${inner}`]);
  expect(await subject.page(`http://127.1:${inner}/`)).toMatchObject({ outcome: 'page' });
  expect(reached).toEqual(['/']);
});

describe('a link to an address of this machine, of a network, or of a cloud', () => {
  it.each([
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '017700000001'],
    ...['0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '0x7f.1', '127.0.0.0x1', '00000177.0.0.1', '0', '0.0.0.0'],
    ...[
      '127。0。0。1',
      '127．0．0．1',
      '127｡0｡0｡1',
      '①②⑦.0.0.1',
      '１２７.0.0.1',
      '%31%32%37.0.0.1',
      '127%2e0.0.1',
    ],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...[
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
    ],
    ...[
      '[fe80::1]',
      '[fec0::1]',
      '[fc00::1]',
      '[fd00::1]',
      '[ff02::1]',
      '[ff0e::1]',
      '[100::1]',
      '[2001:db8::1]',
    ],
    ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.1.1', '192.0.0.8', '198.18.0.1'],
    ...[
      '224.0.0.1',
      '239.255.255.250',
      '240.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
      '3232235777',
      '0xa000001',
    ],
    // Metadata of AWS, GCP and Azure, of ECS, Alibaba, Oracle and IBM, and of AWS by IPv6.
    ...[
      '169.254.169.254',
      '169.254.170.2',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '168.63.129.16',
    ],
    ...['100.100.100.200', '192.0.0.192', '161.26.0.1', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]'],
  ])('is refused without a connection: http://%s/', async (host) => {
    for (const url of [`http://${host}:${inner}/`, `http://${host}/`, `https://${host}/`])
      expect(await fetcher().page(url).catch(String)).toEqual(NOTHING);
    expect(reached).toEqual([]);
  });

  it.each([
    'http://[fe80::1%25lo]/',
    'http://[fe80::1%lo]/',
    'http://[::1%eth0]/',
    'http://127.0.0.1:22/',
    'http://127.0.0.1:6379/',
    'http://site.example:8080/',
    'http://site.example:0/',
    'http://user@site.example/',
    'http://:password@site.example/',
    'http://127.0.0.1@site.example/',
    'http://site.example@127.0.0.1/',
    'file:///etc/passwd',
    'ftp://site.example/',
    'gopher://127.0.0.1:6379/_INFO',
    'dict://127.0.0.1:11211/stats',
    'data:text/html,<title>x</title>',
    'javascript:1',
    'ws://site.example/',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  ])('in another form, scheme or port is refused without a lookup: %s', async (url) => {
    const resolve = vi.fn(async () => ['127.0.0.1']);
    const fetched = await fetcher([], resolve)
      .page(url)
      .catch((error: unknown) => (error instanceof TypeError ? NOTHING : error));
    expect(fetched).toEqual(NOTHING);
    expect(resolve).not.toHaveBeenCalled();
    expect(reached).toEqual([]);
  });
});

describe('a name', () => {
  it.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['localhost.', ['127.0.0.1']],
    ['LOCALHOST', ['127.0.0.1']],
    ['app.localhost', ['127.0.0.1']],
    ['localhost.localdomain', ['127.0.0.1']],
    ['127.0.0.1.nip.example', ['127.0.0.1']],
    ['metadata.google.internal', ['169.254.169.254']],
    ['instance-data.ec2.internal', ['169.254.169.254']],
    ['kubernetes.default.svc', ['10.96.0.1']],
    ['six.example', ['::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00::1', 'fe80::1%lo']],
    ['zero.example', ['0.0.0.0', '::']],
    ['none.example', []],
    ['odd.example', ['127.1', '0x7f000001', '', 'localhost']],
  ])('that leads inside is refused: %s → %j', async (name, addresses) => {
    const fetched = await fetcher([], async () => addresses).page(`http://${name}:${inner}/`);
    expect(fetched).toEqual(NOTHING);
    expect(reached).toEqual([]);
  });

  it('that changes its address between the look-up and the connection is looked up once', async () => {
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const resolve = vi.fn(async () => answers.shift() ?? ['127.0.0.1']);
    const fetching = fetcher([`127.0.0.2:${inner}`], resolve).page(`http://rebound.example:${inner}/`);
    // Nothing listens at the address that was checked.
    expect(await fetching).toEqual({ outcome: 'away' });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(reached).toEqual([]);
  });

  it('with an address outside and one inside is reached outside alone', async () => {
    const resolve = async () => ['127.0.0.1', '127.0.0.2'];
    const fetched = await fetcher([`127.0.0.2:${inner}`], resolve).page(`http://mixed.example:${inner}/`);
    expect(fetched).toEqual({ outcome: 'away' });
    expect(reached).toEqual([]);
  });

  it('is looked up again for its picture, and refused where that leads inside', async () => {
    const site = await listen((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>t</title><meta property="og:image" content="http://rebound.example:${inner}/x.png">`),
    );
    const subject = fetcher([`127.0.0.1:${site}`], async () => ['127.0.0.1']);
    const fetched = await subject.page(`http://127.0.0.1:${site}/`);
    const image = fetched.outcome === 'page' ? fetched.page.image?.url : undefined;
    expect(image).toBe(`http://rebound.example:${inner}/x.png`);
    expect(await subject.picture(image ?? '')).toBeUndefined();
    expect(reached).toEqual([]);
  });
});

describe('a redirect', () => {
  const redirecting = async (location: () => string, status = 302) => {
    const site = await listen((_, response) => response.writeHead(status, { location: location() }).end());
    return {
      url: `http://127.0.0.1:${site}/`,
      subject: fetcher([`127.0.0.1:${site}`], async () => ['127.0.0.1']),
    };
  };

  it.each([
    ...['http://127.0.0.1:PORT/', 'http://127.1:PORT/', 'http://2130706433:PORT/', '//127.0.0.1:PORT/'],
    ...[
      'http://localhost:PORT/',
      'http://inner.example:PORT/',
      'http://[::1]:PORT/',
      'http://[::ffff:7f00:1]:PORT/',
    ],
    ...['http://169.254.169.254/latest/meta-data/', 'http://user@127.0.0.1:PORT/', '\\\\127.0.0.1:PORT\\'],
    ...['file:///etc/passwd', 'gopher://127.0.0.1:PORT/', 'ftp://127.0.0.1/', 'http://', 'data:text/html,x'],
  ])('to %s is not followed', async (location) => {
    const { url, subject } = await redirecting(() => location.replace('PORT', String(inner)));
    expect(await subject.page(url)).toEqual(NOTHING);
    expect(await subject.picture(url)).toBeUndefined();
    expect(reached).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])('of status %i to an address inside is not followed', async (status) => {
    const { url, subject } = await redirecting(() => `http://127.0.0.1:${inner}/`, status);
    expect(await subject.page(url)).toEqual(NOTHING);
    expect(reached).toEqual([]);
  });

  it('that goes in a circle ends after three', async () => {
    let requests = 0;
    const site = await listen((_, response) => {
      requests++;
      response.writeHead(302, { location: '/again' }).end();
    });
    expect(await fetcher([`127.0.0.1:${site}`]).page(`http://127.0.0.1:${site}/`)).toEqual(NOTHING);
    expect(requests).toBe(4);
  });

  it('by the page itself, or by another header, is none', async () => {
    const to = `http://127.0.0.1:${inner}/`;
    const site = await listen((_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          location: to,
          refresh: `0; url=${to}`,
          link: `<${to}>; rel=preload`,
        })
        .end(
          `<meta http-equiv="refresh" content="0; url=${to}"><script>location='${to}'</script>
          <link rel="canonical" href="${to}"><link rel="alternate" type="application/json+oembed" href="${to}">
          <iframe src="${to}"></iframe><title>Outside</title>`,
        ),
    );
    const subject = fetcher([`127.0.0.1:${site}`]);
    expect(await subject.page(`http://127.0.0.1:${site}/`)).toEqual({
      outcome: 'page',
      page: { title: 'Outside' },
    });
    expect(reached).toEqual([]);
  });
});

describe('a picture of a page', () => {
  it.each([
    'http://127.0.0.1:PORT/x.png',
    '//127.0.0.1:PORT/x.png',
    'http://0x7f000001:PORT/',
    'http://169.254.169.254/',
  ])('at %s is not opened', async (url) => {
    const picture = await fetcher().picture(
      new URL(url.replace('PORT', String(inner)), 'http://site.example/').href,
    );
    expect(picture).toBeUndefined();
    expect(reached).toEqual([]);
  });
});

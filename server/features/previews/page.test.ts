import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompressed } from './decompress.ts';
import { readPage } from './page.ts';

const URL_OF_PAGE = 'https://site.example/a/b?c';

function read(html: string | Uint8Array, contentType = 'text/html; charset=utf-8', url = URL_OF_PAGE) {
  return readPage({ bytes: typeof html === 'string' ? Buffer.from(html) : html, contentType, url });
}

describe('what a page says of itself', () => {
  it('is what it says for other sites, before what it says for search engines and for its own window', async () => {
    const html = `<!doctype html><html><head><title>Window</title>
      <meta name="description" content="For engines">
      <meta property="og:title" content="Shared &amp; told"><meta property="og:description" content="What it is about">
      <meta property="og:site_name" content="The Site"><meta property="og:image" content="/i/one.png">
      <meta property="og:image:alt" content="A drawing"></head><body>…`;
    expect(await read(html)).toEqual({
      title: 'Shared & told',
      site: 'The Site',
      description: 'What it is about',
      image: { url: 'https://site.example/i/one.png', alt: 'A drawing' },
    });
  });

  it.each([
    ['<title> A\n title </title>', { title: 'A title' }],
    ['<title>One</title><title>Two</title>', { title: 'One' }],
    ['<META NAME=Twitter:Title CONTENT=Short>', { title: 'Short' }],
    ["<meta content='x' name='og:title'>", { title: 'x' }],
    ['<meta property="og:title" content=" "><title>t</title>', { title: 't' }],
    ['<meta property="og:title" content="1"><meta property="og:title" content="2">', { title: '1' }],
    ['<title>t</title><meta name="description" content="t">', { title: 't' }],
    ['<title>&lt;b&gt;bold&lt;/b&gt; &#x1F600;</title>', { title: '<b>bold</b> 😀' }],
    ['<script>"<title>no</title>"</script><title>yes</title>', { title: 'yes' }],
    ['<!-- <title>no</title> --><title>yes</title>', { title: 'yes' }],
    ['<title>cut he', { title: 'cut he' }],
  ])('%s', async (html, page) => expect(await read(html)).toEqual(page));

  it.each([
    '',
    '<title></title>',
    '<title>\u200b\u202e</title>',
    '{"title":"json"}',
    '<body><title>t</title>',
    '<head></head><title>t</title>',
    '<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">',
  ])('is nothing without a title in its head: %j', async (html) => expect(await read(html)).toBeUndefined());

  it('is text, and not what hides in text: directions, invisible letters, piles of marks, tags, halves', async () => {
    const raw = `a\u202eb\u2066c\u200bd\u0000e\ufefff\u{E0041}g\ud800h i\u0301\u0301\u0301\u0301\u0301\u0301\u0301j \u200d`;
    expect(await read(`<meta property="og:title" content="${raw}">`)).toEqual({
      title: `abcd e fgh í\u0301\u0301\u0301\u0301j`,
    });
    expect(await read('<title>👩‍🚀 می‌خواهم क्‍ष ❤️</title>')).toEqual({ title: '👩‍🚀 می‌خواهم क्‍ष ❤️' });
  });

  it('has a bound for each text, cut between characters', async () => {
    const [title, description, site] = ['😀', 'ä', 'x'].map((letter) => letter.repeat(5000));
    const page = await read(
      `<title>${title}</title><meta name=description content="${description}"><meta property=og:site_name content="${site}">`,
    );
    expect(page).toEqual({
      title: `${'😀'.repeat(199)}…`,
      description: `${'ä'.repeat(299)}…`,
      site: `${'x'.repeat(79)}…`,
    });
  });
});

describe('the picture of a page', () => {
  const image = async (meta: string, url?: string) =>
    (await read(`<title>t</title>${meta}`, 'text/html', url))?.image?.url;
  const og = (content: string) => `<meta property="og:image" content="${content}">`;

  it.each([
    [og('https://cdn.example/x.png'), 'https://cdn.example/x.png'],
    [og('//cdn.example/x.png'), 'https://cdn.example/x.png'],
    [og('x.png'), 'https://site.example/a/x.png'],
    [og('HTTP://CDN.example/x y.png'), 'http://cdn.example/x%20y.png'],
    [`<base href="https://other.example/z/">${og('x.png')}`, 'https://other.example/z/x.png'],
    [`<base href="javascript:1">${og('x.png')}`, 'https://site.example/a/x.png'],
    [
      `${og('http://a.example/1')}<meta property="og:image:secure_url" content="https://a.example/2">`,
      'https://a.example/2',
    ],
    [
      `${og('data:image/png;base64,AAAA')}<meta name="twitter:image" content="/t.png">`,
      'https://site.example/t.png',
    ],
  ])('%s: %s', async (meta, url) => expect(await image(meta)).toBe(url));

  it.each([
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'javascript:1',
    'blob:x',
    'http://',
    `/${'x'.repeat(3000)}`,
  ])('is none at %s', async (url) => expect(await image(og(url))).toBeUndefined());
});

describe('the encoding of a page', () => {
  const meta = (label: string) => `<meta charset="${label}">`;
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    );

  it.each<[string, Uint8Array, string, string]>([
    ['the response', bytes('<title>', [0xe4], '</title>'), 'text/html; charset=ISO-8859-1', 'ä'],
    ['the response, in quotes', bytes('<title>', [0xc4, 0xe3], '</title>'), 'text/html;charset="gbk"', '你'],
    [
      'the page',
      bytes(meta('shift_jis'), '<title>', [0x93, 0xfa, 0x96, 0x7b], '</title>'),
      'text/html',
      '日本',
    ],
    [
      'the page, in the old way',
      bytes(
        '<meta http-equiv=content-type content="text/html; charset=euc-kr"><title>',
        [0xc7, 0xd1],
        '</title>',
      ),
      'text/html',
      '한',
    ],
    ['its mark', Buffer.from('\ufeff<title>ж</title>', 'utf16le'), 'text/html; charset=utf-8', 'ж'],
    ['nobody: UTF-8', Buffer.from('<title>ж</title>'), 'text/html', 'ж'],
    ['nobody, and it is none: windows-1252', bytes('<title>', [0x80], '</title>'), 'text/html', '€'],
    ['a label that nobody knows', Buffer.from('<title>ж</title>'), 'text/html; charset=klingon', 'ж'],
    ['a page in ASCII that says UTF-16', Buffer.from(`${meta('utf-16')}<title>ж</title>`), 'text/html', 'ж'],
  ])('is said by %s', async (_, html, contentType, title) =>
    expect(await read(html, contentType)).toEqual({ title }),
  );
});

describe('hostile pages', () => {
  it.each([
    ['tags that never close', '<x>'.repeat(150_000)],
    ['tags that close nothing', '<x>'.repeat(2000) + '</y>'.repeat(120_000)],
    [
      'one tag with many attributes',
      `<meta ${Array.from({ length: 60_000 }, (_, at) => `a${at}=1`).join(' ')}>`,
    ],
    ['a value without end', `<meta property="og:title" content="${'x'.repeat(500_000)}`],
    ['a title without end', `<title>${'&amp;'.repeat(100_000)}`],
    ['entities that are none', `<title>${'&'.repeat(500_000)}</title>`],
    ['a comment without end', `<!--${'-'.repeat(500_000)}`],
    ['names of the prototype', '<meta __proto__=x constructor=y name=__proto__ content=z><title>t</title>'],
    ['marks', `<title>${'e\u0301'.repeat(100)}${'\u0301'.repeat(100_000)}</title>`],
  ])('%s: a bounded text, or none', async (_, html) => {
    const page = await read(html);
    expect([...(page?.title ?? '')].length).toBeLessThanOrEqual(200);
  });

  it('any bytes are read, and what comes of them keeps its bounds', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '<meta ',
        'property="og:title" ',
        'content="',
        '">',
        '<title>',
        '</title>',
        '</head>',
        '<body',
        '&#x202e;',
      ),
      fc.constantFrom(
        '<script>',
        '<!--',
        '-->',
        '<![CDATA[',
        'og:image',
        '<base href=',
        '\u202e',
        '&#0;',
        "'",
        '\0',
      ),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), fc.string(), async (parts, contentType) => {
        const page = await read(parts.join(''), contentType);
        if (!page) return;
        for (const [text, max] of [
          [page.title, 200],
          [page.description ?? '', 300],
          [page.site ?? '', 80],
        ] as const) {
          expect([...text].length).toBeLessThanOrEqual(max);
          expect(text).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
          expect(text.isWellFormed()).toBe(true);
        }
        if (page.image) expect(new URL(page.image.url).protocol).toMatch(/^https?:$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('compressed bodies', () => {
  const text = Buffer.from('<title>t</title>'.repeat(1000));

  it('are read up to a bound, whatever they would become', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await decompressed(bomb, 'gzip', 100_000))?.length).toBe(100_000);
    expect(await decompressed(gzipSync(text), 'GZIP', 1e6)).toEqual(text);
    expect(await decompressed(text, undefined, 100)).toEqual(text.subarray(0, 100));
  });

  it('are read as far as they came', async () => {
    const cut = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, at) => `${at * 7919} `).join('')));
    const beginning = await decompressed(cut.subarray(0, cut.length / 2), 'gzip', 1e6);
    expect(beginning?.length).toBeGreaterThan(10_000);
  });

  it.each([
    ['compress', text],
    ['gzip, br', text],
    ['gzip', text],
    ['br', Buffer.from([255, 255, 255])],
  ])('of an encoding that is not known, or that are none of it, are nothing: %s', async (encoding, body) =>
    expect(await decompressed(body, encoding, 1000)).toBeUndefined(),
  );
});

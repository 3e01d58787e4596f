/** What hostile people write is shown literally, runs nothing, and breaks no layout. */
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRoom, type Login, signUp, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { audience, expectHarmless, unbroken } from './hostile-page.ts';
import { sidewaysOverflow } from './overflow.ts';
import { onStage, soon } from './stage.ts';

/** Each tries to set `window.pwned` or to open a dialog. */
const MARKUP = [
  '<script>window.pwned = 1</script>',
  '<img src="x" onerror="window.pwned = 1">',
  '<svg onload="window.pwned = 1"><animate onbegin="alert(1)" attributeName="x"/></svg>',
  '<iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>',
  '<a href="javascript:window.pwned = 1">a link</a>',
  '<form action="javascript:alert(1)"><button>press</button></form>',
  '<style>body { display: none }</style>',
  '<base href="https://example.invalid/"><meta http-equiv="refresh" content="0;url=https://example.invalid">',
  '"><script>alert(document.cookie)</script>',
  "'-alert(1)-'",
  '&lt;b&gt;entities stay entities&lt;/b&gt; &amp;amp; &#60;',
  '{{constructor.constructor("window.pwned = 1")()}} <%= 7 * 7 %> #{7*7}',
  ']]><!-- --><![CDATA[',
  '%3Cscript%3Ealert(1)%3C/script%3E',
];

/** Addresses that must never become a link. */
const SCRIPT_ADDRESSES = [
  'javascript:window.pwned=1',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '[press](javascript:window.pwned=1)',
  '[press](<javascript:window.pwned=1>)',
  '[press](JAVASCRIPT:window.pwned=1)',
  '[press](\u0001javascript:window.pwned=1)',
  '[press](java\u200bscript:window.pwned=1)',
  '[press](javascript&#58;window.pwned=1)',
  '[press](javascript%3Awindow.pwned=1)',
  '[press](data:text/html;base64,PHNjcmlwdD4=)',
  '[press](vbscript:msgbox)',
  '[press](//example.invalid)',
  '[press](/rooms/1)',
  '[press][x]\n\n[x]: javascript:window.pwned=1',
  '[https://bank.example](https://example.invalid)',
  '![x](javascript:window.pwned=1)',
  '<javascript:window.pwned=1>',
  'https://example.invalid/"onmouseover="window.pwned=1',
  "https://example.invalid/'onmouseover='window.pwned=1",
];

const LONG = [
  'W'.repeat(4000),
  `https://example.invalid/${'a'.repeat(3900)}`,
  '\u202eright to left override\u202c and \u202emore',
  'شكرا جزيلا mixed with English, and numbers 12345',
  Array.from(
    'zalgo stands tall',
    (letter) => letter + '\u0316\u0317\u0318\u0300\u0301\u0302\u0303\u0304'.repeat(8),
  ).join(''),
  '\u0300'.repeat(200),
  '👨‍👩‍👧‍👦'.repeat(300),
  '漢'.repeat(2000),
  `${'\t'.repeat(500)}far right`,
  `a${'\n'.repeat(300)}b`,
  `${' \u00a0'.repeat(1500)}end`,
  '﷽'.repeat(100),
  `a${'\u0301'.repeat(3999)}`,
  `${'> '.repeat(1000)}deep`,
  `${'- '.repeat(1990)}deep`,
  `\`\`\`js\n${'let x;\n'.repeat(500)}\`\`\``,
  `\`\`\`\n${'W'.repeat(3990)}\n\`\`\``,
  `\`${'W'.repeat(3990)}\``,
  `999999999. ${'W'.repeat(3900)}`,
  `${'*_'.repeat(1000)}${'_*'.repeat(1000)}`,
  '['.repeat(4000),
  '*'.repeat(4000),
];

onStage('hostile content', (stage) => {
  test('markup, event handlers and template syntax are shown literally and run nothing', async () => {
    const { ann } = await audience(stage, MARKUP);
    await soon(() => ann.contents()).toEqual(MARKUP);
    await expectHarmless(ann);
  });

  test('script URLs never become links; links lead to the web only and send no referrer', async () => {
    const { ann } = await audience(stage, SCRIPT_ADDRESSES);
    await soon(() => ann.messages.count()).toBe(SCRIPT_ADDRESSES.length);
    const links = await ann.messages.locator('a').evaluateAll((found) =>
      found.map((link) => ({
        protocol: new URL((link as HTMLAnchorElement).href).protocol,
        rel: link.getAttribute('rel'),
      })),
    );
    for (const { protocol, rel } of links) {
      expect(['http:', 'https:', 'mailto:']).toContain(protocol);
      expect(rel?.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer', 'nofollow']));
    }
    for (const link of await ann.messages.locator('a').all()) await link.hover();
    await expectHarmless(ann);
  });

  test('text that looks like a link but must not be one is shown as typed', async () => {
    const { ann } = await audience(stage, SCRIPT_ADDRESSES);
    await soon(() => ann.contents()).toEqual(SCRIPT_ADDRESSES);
  });

  test('a link labelled with another host shows the host that it leads to, on the clipboard, too', async () => {
    const { ann } = await audience(stage, ['[bank.example](https://example.invalid/login)']);
    await ann.messages.getByRole('link', { name: 'bank.example (example.invalid)', exact: true }).waitFor();
    await soon(() => ann.contents()).toEqual(['bank.example (example.invalid)']);
  });

  test('4000 characters, zalgo, bidi controls and endless words widen nothing', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const { ann } = await audience(stage, LONG, { viewport });
      await soon(() => ann.messages.count()).toBe(LONG.length);
      expect(await sidewaysOverflow(ann.page)).toEqual([]);
      const { width } = (await ann.composer.boundingBox()) ?? { width: 0 };
      expect(width).toBeGreaterThan(200);
      expect((await ann.contents())[0]).toBe('W'.repeat(4000));
    }
  });

  test('stacked diacritics cover no neighbour', async () => {
    const tower = Array.from('zalgo', (letter) => letter + '\u0316\u0317\u0300\u0301'.repeat(150)).join('');
    const { ann } = await audience(stage, ['before', tower, 'after']);
    await soon(() => ann.messages.count()).toBe(3);
    const neighbours = [ann.message('before'), ann.message('after')].map((message) =>
      message.getByTestId('message-content'),
    );
    const look = () => Promise.all(neighbours.map((neighbour) => neighbour.screenshot({ caret: 'hide' })));
    await ann.page.mouse.move(0, 0);
    const beside = await look();
    await ann.messages.nth(1).evaluate((message) => {
      message.style.visibility = 'hidden';
    });
    const alone = await look();
    expect(beside.map((picture, index) => picture.equals(alone[index] ?? picture))).toEqual([true, true]);
  });

  test('a right-to-left override ends with its message', async () => {
    const { ann, author } = await audience(stage, ['\u202eabc', 'plain']);
    await soon(() => ann.messages.count()).toBe(2);
    // The positions of its characters show the direction in which "plain" is drawn.
    const [first = 0, last = 0] = await ann
      .message('plain')
      .getByTestId('message-content')
      .evaluate((element) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        return [0, 4].map((index) => {
          const range = document.createRange();
          if (text !== null) {
            range.setStart(text, index);
            range.setEnd(text, index + 1);
          }
          return range.getBoundingClientRect().left;
        });
      });
    expect(last).toBeGreaterThan(first);
    expect(await ann.messages.first().innerText()).toContain(author.username);
  });

  test('right-to-left names keep their places in a sentence', async () => {
    const { ann, room } = await audience(stage, []);
    // Digits belong to every script; what mixes scripts is refused.
    const names = ['אבי', 'בני', 'גדי'].map((name) => `${name}-${randomInt(1e9)}`);
    for (const name of names) await ChatClient.enter(stage.server, await signUp(stage.server, name), room.id);
    const notice = ann.notice('joined').filter({ hasText: names.at(-1) ?? '' });
    await soon(() => notice.textContent()).toBe(`${names[0]}, ${names[1]} and ${names[2]} joined`);
    const lefts = await notice.evaluate((line, words) => {
      const range = document.createRange();
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const found: number[] = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const word of words) {
          const at = text.textContent?.indexOf(word) ?? -1;
          if (at < 0) continue;
          range.setStart(text, at);
          range.setEnd(text, at + word.length);
          found.push(range.getBoundingClientRect().left);
        }
      }
      return found;
    }, names);
    expect(lefts).toHaveLength(names.length);
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
  });

  test('names of 64 characters without a break and names of markup are literal and widen nothing', async () => {
    const names = [unbroken('M', 64), unbroken('W', 64), uniqueName('<img src=x onerror="window.pwned=1">')];
    const people: Login[] = [];
    for (const name of names) people.push(await signUp(stage.server, name));
    const [login, ...others] = people;
    if (login === undefined) throw new Error('nobody signed up');
    for (const [roomName, viewport] of [
      [unbroken('R', 128), { width: 1280, height: 800 }],
      [uniqueName('<script>window.pwned = 2</script>'), { width: 390, height: 844 }],
    ] as const) {
      const room = await createRoom(stage.server, login, roomName);
      const ann = await stage.seat({ login, path: `/rooms/${room.id}`, context: { viewport } });
      await ann.isIn(roomName);
      expect(await ann.page.title()).toContain(roomName);
      await ann.say('and I have a long name');
      await ann.message('and I have a long name').waitFor();
      for (const other of others) {
        const client = await ChatClient.enter(stage.server, other, room.id);
        client.send({ type: 'message', content: `I am ${other.username}` });
        await ann.messages.getByText(other.username, { exact: true }).waitFor();
        client.send({ type: 'typing', is_typing: true });
        await ann.typing.getByText(`${other.username} is typing`).waitFor();
        expect(await sidewaysOverflow(ann.page)).toEqual([]);
        await client.close();
        await ann.notice(`${other.username} left`).waitFor();
      }
      expect(await sidewaysOverflow(ann.page)).toEqual([]);
      await expectHarmless(ann);
    }
  });

  test('input in forms is shown literally, too', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.searchFor('<img src=x onerror="window.pwned=1">');
    await ann.switcher.getByText('<img src=x onerror="window.pwned=1">').first().waitFor();
    await ann.switcher.getByRole('combobox').fill('x'.repeat(500));
    expect(await sidewaysOverflow(ann.page)).toEqual([]);
    await expectHarmless(ann);
  });

  test('Trusted Types and the content security policy stop what a regression would let through', async () => {
    const ann = await stage.seat({ login: await stage.account('ann') });
    await ann.rooms.waitFor();
    ann.console.expect(/Trusted|Content Security Policy/);
    const refused = await ann.page.evaluate(() => {
      const attempts: Record<string, () => unknown> = {
        innerHTML: () => {
          document.createElement('div').innerHTML = '<b>x</b>';
        },
        'script text': () => {
          document.createElement('script').text = 'window.pwned = 1';
        },
        'document.write': () => document.write('<b>x</b>'),
        'a policy of one’s own': () =>
          (
            window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
          ).trustedTypes.createPolicy('evil', {}),
      };
      return Object.entries(attempts)
        .filter(([, attempt]) => {
          try {
            attempt();
            return true;
          } catch {
            return false;
          }
        })
        .map(([name]) => name);
    });
    expect(refused).toEqual([]);
    const blocked = await ann.page.evaluate(async () => {
      const violations: string[] = [];
      const seen = new Promise<void>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          violations.push(effectiveDirective);
          if (violations.length === 2) resolve();
        });
      });
      new Image().src = 'https://example.invalid/pixel.png';
      await fetch('https://example.invalid/').catch(() => undefined);
      await seen;
      return violations.sort();
    });
    expect(blocked).toEqual(['connect-src', 'img-src']);
    expect(await ann.page.evaluate(() => 'pwned' in window)).toBe(false);
  });
});

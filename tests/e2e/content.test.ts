/** What a message's Markdown looks like to its readers. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { onStage, type Stage, soon } from './stage.ts';

const CODE = ['export const answer: number = 42;', '', '// the end'].join('\n');

const EVERYTHING = [
  'Some **bold**, *italic*, ~~struck~~, `code` and a [link](https://example.org/plan).',
  'Bare: https://example.org/a_b_c and www.example.org, [write](mailto:ann@example.org)',
  'Bring:\n- cake\n- more\n  - chocolate\n\n3. cut\n4. eat',
  '> said *before*\n> > and before that\n\nanswered',
  `look:\n\`\`\`ts\n${CODE}\n\`\`\``,
  '```\nno language\n```',
  '👍🎉',
  'مرحبا **بكم**\n- واحد\n> اقتباس',
  '# no heading\n| no | table |\n<b>no tag</b> ![no image](https://example.org/x.png)',
];

onStage('content', (stage) => {
  test('Markdown is rendered, and other text is shown as typed', async () => {
    const { ann } = await reader(stage, EVERYTHING);
    const inside = (index: number) => ann.messages.nth(index).getByTestId('message-content');
    await soon(() => inside(0).locator('strong, em, del, code').allTextContents()).toEqual([
      'bold',
      'italic',
      'struck',
      'code',
    ]);
    const links = ann.messages.getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))).toEqual([
      'https://example.org/plan',
      'https://example.org/a_b_c',
      'https://www.example.org/',
      'mailto:ann@example.org',
    ]);
    expect(await inside(2).locator('ul > li').count()).toBe(3);
    const numbers = inside(2).locator('ol > li');
    expect(await numbers.evaluateAll((all) => all.map((item) => (item as HTMLLIElement).value))).toEqual([
      3, 4,
    ]);
    expect(await inside(3).locator('blockquote blockquote').textContent()).toBe('and before that');
    expect(await inside(3).locator(':scope > p').textContent()).toBe('answered');
    expect(await inside(8).textContent()).toBe(EVERYTHING[8]);
    const [emoji = 0, text = 0] = await Promise.all(
      [6, 0].map((index) =>
        inside(index).evaluate((box) => Number.parseFloat(getComputedStyle(box).fontSize)),
      ),
    );
    expect(emoji).toBeGreaterThan(text * 1.5);
  });

  test('a link to a page of this client opens in the same tab; with Ctrl or the middle button, in another', async () => {
    const author = await stage.account('bo');
    const [room, other] = [await createRoom(stage.server, author), await createRoom(stage.server, author)];
    const client = await ChatClient.enter(stage.server, author, room.id);
    const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}` });
    await ann.isIn(room.name);
    const { origin } = new URL(ann.page.url());
    client.send({ type: 'message', content: `${origin}/rooms/${other.id} [t](${origin}/rooms/${other.id})` });
    const links = ann.messages.getByRole('link');
    await soon(() => links.count()).toBe(2);
    const clicks: Parameters<Locator['click']>[0][] = [
      { button: 'middle' },
      { modifiers: ['ControlOrMeta'] },
    ];
    for (const options of clicks) {
      const [opened] = await Promise.all([
        ann.page.context().waitForEvent('page'),
        links.first().click(options),
      ]);
      await soon(() => opened.url()).toBe(`${origin}/rooms/${other.id}`);
      await opened.close();
    }
    for (const place of [0, 1]) {
      await links.nth(place).click();
      await ann.isIn(other.name);
      await ann.page.goBack();
      await ann.isIn(room.name);
    }
    expect(ann.page.context().pages()).toHaveLength(1);
  });

  test('fenced code is highlighted without moving, and copied as written', async () => {
    const { ann } = await reader(stage, EVERYTHING, { permissions: ['clipboard-read', 'clipboard-write'] });
    const block = ann.page.getByTestId('code-block').first();
    await block.locator('[data-token=keyword]').first().waitFor();
    // In a worker: no text makes the page wait.
    expect(ann.page.workers().filter((worker) => worker.url().includes('/highlight-worker'))).toHaveLength(1);
    expect(await block.locator('[data-token=comment]').textContent()).toBe('// the end');
    expect(await block.locator('pre').textContent()).toBe(CODE);
    await block.getByRole('button', { name: 'Copy code' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await ann.page.evaluate(() => navigator.clipboard.readText())).toBe(CODE);
  });

  test('code is copied over plain HTTP, too, where there is no clipboard API', async () => {
    const { ann } = await reader(stage, ['```\nno clipboard here\n```']);
    await ann.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await ann.button('Copy code').click();
    await ann.button('Copied').waitFor();
    await ann.composer.click();
    await ann.composer.press('Control+v');
    await soon(() => ann.composer.inputValue()).toBe('no clipboard here');
  });

  test('code never takes the wheel from the timeline: long code is folded, or scrolls with the rest', async () => {
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line}`.slice(-7));
    const { ann } = await reader(stage, [`\`\`\`\n${lines.join('\n')}\n\`\`\``, 'after']);
    const code = ann.messages.first().locator('pre');
    const scrolls = () => code.evaluate((box) => box.scrollHeight > box.clientHeight + 1);
    expect(await scrolls()).toBe(false);
    await ann.button('Show all').click();
    await ann.button('Show less').waitFor();
    expect(await scrolls()).toBe(false);
    const before = await ann.log.evaluate((box) => box.scrollTop);
    await code.hover({ position: { x: 50, y: 200 } });
    await ann.page.mouse.wheel(0, 300);
    await soon(() => ann.log.evaluate((box) => box.scrollTop)).toBeGreaterThan(before);
    await checkScreen(ann);
  });

  test('messages of one group stand 6 px apart, and a day is a line in the flow', async () => {
    const { ann } = await reader(stage, ['one', 'two', '```\ncode\n```']);
    const boxOf = (index: number) => ann.messages.nth(index).getByTestId('message-content').boundingBox();
    const [one, two] = [await boxOf(0), await boxOf(1)];
    expect((two?.y ?? 0) - (one?.y ?? 0) - (one?.height ?? 0)).toBeCloseTo(6, 0);
    const day = ann.log.getByRole('heading', { name: 'Today' });
    const { band, words, rule } = await day.evaluate((heading) => {
      const line = heading.firstElementChild ?? heading;
      return {
        band: getComputedStyle(heading).backgroundColor,
        words: getComputedStyle(line.querySelector('button span') ?? heading).backgroundColor,
        rule: getComputedStyle(line, '::after').height,
      };
    });
    expect([band, words, rule]).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)', '1px']);
  });

  test('every construct passes axe and fits, in both themes and both widths', async () => {
    const { ann } = await reader(stage, EVERYTHING);
    await ann.page.locator('[data-token=keyword]').first().waitFor();
    await checkScreen(ann);
  });
});

/** Somebody wrote all this, and Ann opens the room. */
async function reader(stage: Stage, contents: readonly string[], context = {}) {
  const author = await stage.account('bo');
  const room = await createRoom(stage.server, author);
  const client = await ChatClient.enter(stage.server, author, room.id);
  for (const content of contents) client.send({ type: 'message', content });
  const ann = await stage.seat({ login: await stage.account('ann'), path: `/rooms/${room.id}`, context });
  await ann.isIn(room.name);
  await soon(() => ann.messages.count()).toBe(contents.length);
  return { ann };
}

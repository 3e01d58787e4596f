/** What a search says where it finds nothing, not everything, or cannot ask the server. */
import { expect, test } from 'vitest';
import { searchResponse } from '../../protocol/rest/search.ts';
import { checkScreen } from './check-screen.ts';
import { UNREACHABLE } from './console-watch.ts';
import { focused } from './focus.ts';
import type { Person } from './person.ts';
import { chipsOf, fieldOf, furnished, hitsOf, openSearch, searchOf, wordsOf } from './search-page.ts';
import { onStage, soon } from './stage.ts';

const SEARCH = '**/api/v1/search?*';
const NO_WORKER = { worker: false };

onStage(
  'what a search says',
  (stage) => {
    test('nothing found: what was looked at, and which part of the query is in the way', async () => {
      const { ann } = await furnished(stage);
      const { keyboard } = ann.page;
      await openSearch(ann);
      await keyboard.type('zeppelin noon has:file ');
      await searchOf(ann).getByText('Only messages that fit your filters were looked at.').waitFor();
      const way = searchOf(ann).getByRole('button', { name: /^Without/ });
      await soon(() => way.allTextContents()).toEqual(['Without “Has a file”']);
      await checkScreen(ann, 'search-nothing');
      await way.click();
      await soon(() => chipsOf(ann)).toEqual([]);
      await soon(() => wordsOf(ann)).toEqual(['The zeppelin lands at noon']);
      await fieldOf(ann).fill('zeppelin nobody');
      await soon(() => way.allTextContents()).toEqual(['Without “nobody”']);
      await fieldOf(ann).fill('nobody nowhere');
      await searchOf(ann).getByText('Leaving out one part finds nothing either.').waitFor();
    });

    test('recent searches are kept on the device, can be removed, and are deleted at sign-out', async () => {
      const { ann, login } = await furnished(stage);
      const { keyboard } = ann.page;
      const kept = () => ann.stored(`chat_searches:${login.userId}`);
      await openSearch(ann);
      await keyboard.type('zeppelin noon');
      await soon(() => hitsOf(ann).count()).toBe(1);
      await keyboard.press('Enter');
      await keyboard.press('Control+a');
      await keyboard.type('airship');
      await soon(() => wordsOf(ann)).toEqual(['An airship, then']);
      await keyboard.press('ArrowDown');
      await soon(kept).toBe('["airship","zeppelin noon"]');
      await ann.page.reload();
      await ann.composer.waitFor();
      await openSearch(ann);
      const recent = searchOf(ann).getByRole('region', { name: 'Recent searches' });
      await recent.getByRole('button', { name: 'Remove “airship”' }).click();
      await soon(kept).toBe('["zeppelin noon"]');
      await soon(() => focused(ann)).toBe('Search messages');
      await checkScreen(ann, 'search-recent');
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await soon(() => wordsOf(ann)).toEqual(['The zeppelin lands at noon']);
      await ann.signOut();
      await soon(kept).toBe(null);
    });

    test('a query that is none, and why', async () => {
      const { ann } = await furnished(stage);
      ann.console.expect(/status of 400/);
      await openSearch(ann);
      await fieldOf(ann).fill('on:2026-02-30 ');
      await searchOf(ann).getByText('“2026-02-30” is no day.').waitFor();
      await searchOf(ann).getByRole('button', { name: 'Clear search' }).click();
      await fieldOf(ann).fill('!!!');
      await searchOf(ann).getByText('Type a word, or choose a filter.').waitFor();
      await fieldOf(ann).fill(Array.from({ length: 13 }, (_, at) => `word${at}`).join(' '));
      await searchOf(ann).getByText('That is too much at once.').waitFor();
      await checkScreen(ann, 'search-invalid');
    });

    test('the server asks for patience: the search waits, and goes on by itself', async () => {
      const { ann } = await furnished(stage, NO_WORKER);
      ann.console.expect(/status of 429/);
      let asked = 0;
      await ann.page.route(SEARCH, async (route) => {
        asked += 1;
        if (asked > 1) return await route.fallback();
        const headers = { 'Retry-After': '2', 'Content-Type': 'application/json' };
        await route.fulfill({ status: 429, headers, body: '{"error":"too many requests"}' });
      });
      await openSearch(ann);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => searchOf(ann).getByTestId('search-status').textContent()).toContain(
        'It goes on in a moment.',
      );
      await soon(() => hitsOf(ann).count()).toBe(2);
      expect(asked).toBe(2);
    });

    test('a page that is not complete offers to search further back; an index that is being built says how far it reaches', async () => {
      const { ann } = await furnished(stage, NO_WORKER);
      await ann.page.route(SEARCH, async (route) => {
        const isFirst = !route.request().url().includes('before_id');
        const response = await route.fetch();
        const page = searchResponse.parse(await response.json());
        const [first] = page.results;
        const results = isFirst ? page.results.slice(0, 1) : page.results;
        const cut = isFirst
          ? {
              next_before_id: first?.message.id ?? 1,
              is_complete: false,
              indexed_from: '2026-02-03T04:05:06.000Z',
            }
          : {};
        await route.fulfill({
          response,
          json: { ...page, results, ...cut },
        });
      });
      await openSearch(ann);
      await ann.page.keyboard.type('zeppelin');
      await soon(() => hitsOf(ann).count()).toBe(1);
      expect(await searchOf(ann).getByRole('note').textContent()).toContain(
        'those since 3 Feb can be found.',
      );
      await checkScreen(ann, 'search-partial');
      await searchOf(ann).getByRole('button', { name: 'Search further back' }).click();
      await soon(() => hitsOf(ann).count()).toBe(2);
    });

    test('without a connection it searches what the device has, says so, and asks the server once it is back', async () => {
      const proxy = await stage.proxy();
      const { ann } = await furnished(stage, { origin: proxy.url });
      ann.console.expect(UNREACHABLE, /status of 50\d/);
      await stage.kept();
      await openSearch(ann);
      // Its code is on the device by now.
      await proxy.cut();
      await ann.page.keyboard.type('zeppelin');
      await soon(() => wordsOf(ann)).toEqual(['Zeppelins never land', 'The zeppelin lands at noon']);
      const note = searchOf(ann).getByRole('note');
      expect(await note.textContent()).toContain('No connection. This is what this device has');
      await checkScreen(ann, 'search-offline');
      await ann.page.keyboard.press('ArrowDown');
      await soon(() => isShown(ann, 'Zeppelins never land')).toBe(true);
      await fieldOf(ann).fill('nothing like that');
      await searchOf(ann).getByRole('heading', { name: 'Nothing found' }).waitFor();
      await fieldOf(ann).fill('zeppelin');
      await soon(() => hitsOf(ann).count()).toBe(2);
      await proxy.restore();
      await note.waitFor({ state: 'detached' });
      await soon(() => hitsOf(ann).count()).toBe(2);
    });
  },
  { MESSAGES_PER_SECOND: '0' },
);

const isShown = async (ann: Person, words: string) => {
  const id = await hitsOf(ann).filter({ hasText: words }).getAttribute('data-hit');
  return await ann.log.locator(`[data-message-id="${id}"]`).isVisible();
};

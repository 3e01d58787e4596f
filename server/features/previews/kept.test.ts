import { expect, it } from 'vitest';
import type { KeptLink } from '../../data/storage/store.ts';
import { KEEP_MS, type KeptPage, KeptPages, type KeptPagesParts } from './kept.ts';

const ADDRESS = 'https://secret.example/plan-for-2027';
const PAGE: KeptPage = { until: 5000, page: { title: 'The plan', description: 'Secret' } };

/** What a database has, and a time that tests set. */
function kept() {
  const rows = new Map<string, KeptLink>();
  const clock = { now: 1000 };
  const store: KeptPagesParts['store'] = {
    keepLinks: async (links) => {
      for (const link of links) rows.set(link.urlHash, link);
    },
    keptLinks: async ({ urlHashes, since }) =>
      urlHashes.flatMap((hash) => rows.get(hash) ?? []).filter(({ fetchedAt }) => fetchedAt >= since),
  };
  /** That of a server that may open these hosts, too. */
  const allowing = (...allow: string[]) => new KeptPages({ store, allow, now: () => clock.now });
  return { pages: allowing(), allowing, rows, clock };
}

it('what a page has said is found by its address, for as long as it is to be believed', async () => {
  const { pages, clock } = kept();
  await pages.keep(ADDRESS, PAGE);
  expect(await pages.find(ADDRESS)).toEqual(PAGE);
  expect(await pages.find(`${ADDRESS}/`)).toBeUndefined();
  clock.now = 5000;
  expect(await pages.find(ADDRESS)).toBeUndefined();
  await pages.keep(ADDRESS, { ...PAGE, until: Number.MAX_SAFE_INTEGER });
  clock.now += KEEP_MS + 1;
  expect(await pages.find(ADDRESS)).toBeUndefined();
});

it('a row has neither the address nor what the page has said', async () => {
  const { pages, rows } = kept();
  await pages.keep(ADDRESS, PAGE);
  const stored = JSON.stringify(
    [...rows.values()].map((row) => [row, Buffer.from(row.data, 'base64url').toString('latin1')]),
  );
  for (const word of ['secret', 'plan', 'Secret', 'title']) expect(stored).not.toContain(word);
});

it('a row that was changed, or is of another address, says nothing', async () => {
  const { pages, rows } = kept();
  await pages.keep(ADDRESS, PAGE);
  const [row] = [...rows.values()];
  if (!row) throw new Error('nothing was kept');
  await pages.keep(`${ADDRESS}/other`, PAGE);
  const other = [...rows.values()].find(({ urlHash }) => urlHash !== row.urlHash)?.data ?? '';
  const changed = Buffer.from(row.data, 'base64url');
  changed[0] = (changed[0] ?? 0) ^ 1;
  for (const data of ['', 'AAAA', row.data.slice(0, -4), changed.toString('base64url'), other]) {
    rows.set(row.urlHash, { ...row, data });
    expect(await pages.find(ADDRESS)).toBeUndefined();
  }
});

it('a page that was refused, or allowed, is looked at again once other hosts are allowed', async () => {
  const { pages, allowing } = kept();
  await pages.keep(ADDRESS, { ...PAGE, page: null });
  expect(await pages.find(ADDRESS)).toMatchObject({ page: null });
  const others = allowing('secret.example', '10.0.0.0/8');
  expect(await others.find(ADDRESS)).toBeUndefined();
  await others.keep(ADDRESS, PAGE);
  expect(await allowing('10.0.0.0/8', 'secret.example').find(ADDRESS)).toEqual(PAGE);
  expect(await pages.find(ADDRESS)).toMatchObject({ page: null });
});

import { expect, test } from 'vitest';
import { READS, WRITES } from './queries.ts';
import { READ_TRAITS } from './read-traits.ts';
import { WRITE_TRAITS } from './traits.ts';

test('each operation of the store has its row', () => {
  expect(Object.keys(WRITE_TRAITS).sort()).toEqual(Object.keys(WRITES).sort());
  expect(Object.keys(READ_TRAITS).sort()).toEqual(Object.keys(READS).sort());
});

test('a write that deletes what nobody may read again says so, a purge only if it has deleted something', () => {
  const erasing = (result: unknown) =>
    Object.entries(WRITE_TRAITS)
      .filter(([, { erases }]) => (erases as (result: unknown) => boolean)(result))
      .map(([name]) => name);
  const always = [
    'deleteFile',
    'deleteMessage',
    'endRegistered',
    'forgetFiles',
    'pruneAudit',
    'pruneFiles',
    'pruneTexts',
    'removePreviews',
    'removeUser',
  ];
  expect(erasing(undefined).sort()).toEqual(always);
  expect(erasing(true).sort()).toEqual([...always, 'purgeReports', 'purgeRooms'].sort());
});

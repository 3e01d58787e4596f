import { expect, test } from 'vitest';
import { isolate } from '../../i18n/isolate.ts';
import { inviterOf } from './inviter.ts';

const by = (inviter: string, name?: string) =>
  inviterOf({ room: null, inviter, ...(name !== undefined && { inviter_display_name: name }) });

test('a username stands beside a display name, which anybody may have taken', () => {
  expect(by('mallory', 'Dana')).toBe(`${isolate('Dana')} (${isolate('mallory')})`);
});

test.each([undefined, '', 'ann'])('it stands alone where there is no other name: %j', (name) => {
  expect(by('ann', name)).toBe(isolate('ann'));
});

test('the operator of the server has none', () => {
  expect(by('', '')).toBeNull();
});

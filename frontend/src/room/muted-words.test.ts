import { describe, expect, test } from 'vitest';
import { en } from '../i18n/en.ts';
import { roomEn } from '../i18n/room-en.ts';
import { mutedWords } from './muted-words.ts';

const words = (until: string, reason = '') => mutedWords(en, roomEn.bar, until, reason);

describe('what somebody reads whom a moderator has muted', () => {
  test('today: the time alone; another day: the day, too', () => {
    const soon = new Date();
    soon.setHours(23, 59);
    expect(words(soon.toISOString())).toMatch(/^A moderator muted you here until (11:59 PM|23:59)$/u);
    expect(words('2190-03-04T12:00:00.000Z')).toMatch(/until .*March.*2190/);
  });

  test('a mute without an end says no time', () => {
    expect(words('9999-12-31T23:59:59.999Z')).toBe('A moderator muted you here');
  });

  test('the reason stands at the end', () => {
    expect(words('9999-12-31T23:59:59.999Z', 'Advertising')).toBe('A moderator muted you here: Advertising');
  });
});

/** What `roomful import` of one room refuses: an export may come from anybody. */
import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentOf, type Place, rewrite } from '../postgres/exporting.ts';
import { RoomImporting } from '../postgres/room-importing.ts';

let importing: RoomImporting;
let good: string;
/** It stays as it is. */
let target: Place;
let before: Record<string, unknown>;
beforeAll(async () => {
  importing = new RoomImporting();
  good = await importing.exported();
  target = await importing.place();
  before = contentOf(await importing.export(target));
});
afterAll(() => importing.dispose());

describe('the import of one room', () => {
  it.each<[string, string, (text: string) => string, RegExp]>([
    [
      'a person twice',
      'users',
      (text) => text.replace('"max"', '"OLGA"'),
      /^users\.jsonl, line 2: "username" "OLGA" comes twice\.$/,
    ],
    [
      'a name that nobody may have',
      'users',
      (text) => text.replace('"mia"', '"m\\u200bia"'),
      /^users\.jsonl, line 3: "username" is not allowed\.$/,
    ],
    [
      'a name that looks like another',
      'users',
      (text) => text.replace('"mia"', '"оlga"'),
      /^users\.jsonl, line 3: "username" .* looks like/,
    ],
    [
      'a direct conversation',
      'rooms',
      (text) => text.replace('"public"', '"dm"'),
      /^rooms\.jsonl, line 1: "kind" is not allowed: direct conversations/,
    ],
    ['two rooms', 'rooms', (text) => text + text, /^rooms\.jsonl does not have the one room/],
    [
      'settings that no room has',
      'rooms',
      (text) => text.replace('moderator', 'nobody'),
      /^rooms\.jsonl, line 1: "settings" is not allowed/,
    ],
    [
      'a hue that no room has',
      'rooms',
      (text) => text.replace('"hue":null', '"hue":"red"'),
      /^rooms\.jsonl, line 1: "hue" is not allowed/,
    ],
    [
      'a maker who is not in it',
      'rooms',
      (text) => text.replace(/"owner_id":\d+/, '"owner_id":99'),
      /^rooms\.jsonl, line 1: "owner_id" is 99, and users\.jsonl has no such person\.$/,
    ],
    [
      'a time that is no time',
      'rooms',
      (text) => text.replace(/"last_at":\d+/, '"last_at":9e15'),
      /^rooms\.jsonl, line 1: "last_at" is not allowed/,
    ],
    [
      'more texts than there are',
      'rooms',
      (text) => text.replace(/"number":\d+/, '"number":99'),
      /^rooms\.jsonl, line 1: "number" is 99, and messages/,
    ],
    [
      'more members than there are',
      'rooms',
      (text) => text.replace(/"members":\d+/, '"members":99'),
      /^rooms\.jsonl, line 1: "members" is 99, and members/,
    ],
    [
      'a role that is none',
      'members',
      (text) => text.replace('"owner"', '"admin"'),
      /^members\.jsonl, line 1: "role" is not allowed/,
    ],
    [
      'a member twice',
      'members',
      (text) => `${firstLine(text)}\n${text}`,
      /^members\.jsonl, line 2: "user_id" \d+ comes twice\.$/,
    ],
    [
      'a message of nobody',
      'messages',
      (text) => text.replace(/"user_id":\d+/, '"user_id":99'),
      /^messages\.jsonl, line 1: "user_id" is 99, and users\.jsonl/,
    ],
    [
      'a message twice',
      'messages',
      (text) => `${firstLine(text)}\n${text}`,
      /^messages\.jsonl, line 2: "id" is not above/,
    ],
    [
      'a number twice',
      'messages',
      (text) => text.replace('"seq":2,', '"seq":1,'),
      /^messages\.jsonl, line 2: "seq" is not above/,
    ],
    [
      'a number above the room',
      'messages',
      (text) => text.replace(/"changed_seq":\d+/, '"changed_seq":9999'),
      /^messages\.jsonl, line 1: "changed_seq" is not between/,
    ],
    [
      'a message of another room',
      'messages',
      (text) => text.replace('"room_id":2', '"room_id":1'),
      /^messages\.jsonl, line 1: "room_id" is not/,
    ],
    [
      'a change twice',
      'messages',
      (text) => text.replaceAll(/"changed_seq":(1|2),/g, '"changed_seq":2,'),
      /^messages\.jsonl, line 2 was refused: .*changed_seq/,
    ],
    [
      'a text that is too long',
      'messages',
      (text) => text.replace('"an answer"', `"${'x'.repeat(4001)}"`),
      /^messages\.jsonl, line \d+: "content" is not allowed/,
    ],
    [
      'a quote of what is not there',
      'messages',
      (text) => text.replace(/"reply_to":\d+/, '"reply_to":1'),
      /^messages\.jsonl, line \d+: .*"reply_to"/,
    ],
    [
      'a reply in no thread',
      'messages',
      (text) => text.replace(/"thread_id":\d+/, '"thread_id":9'),
      /^messages\.jsonl, line \d+: "thread_id" names the message 9, and no text/,
    ],
    [
      'a count of replies that is wrong',
      'messages',
      (text) => text.replace('\\"replies\\":', '\\"replies\\":1'),
      /^messages\.jsonl, line \d+: "extra" does not have the number of the replies\.$/,
    ],
    [
      'a field in the JSON that is not known',
      'messages',
      (text) => text.replace('{\\"mentions\\"', '{\\"content\\":\\"x\\",\\"mentions\\"'),
      /^messages\.jsonl, line \d+: "extra" has a field that is not known\.$/,
    ],
    [
      'a mention of nobody',
      'messages',
      (text) => text.replace('{\\"mentions\\":[', '{\\"mentions\\":[99,'),
      /^messages\.jsonl, line \d+: "extra" is 99, and users/,
    ],
    [
      'a notice with a text',
      'messages',
      (text) => text.replace('"content":""', '"content":"x"'),
      /^messages\.jsonl, line 1: it is a notice/,
    ],
    [
      'a notice that is none',
      'messages',
      (text) => text.replace('\\"topic\\"', '\\"flew\\"'),
      /^messages\.jsonl, line \d+: "extra" is not allowed/,
    ],
    [
      'an earlier text of nothing',
      'message_revisions',
      (text) => text.replace(/"message_id":\d+/, '"message_id":1'),
      /^message_revisions\.jsonl, line 1: "message_id" is 1, and messages/,
    ],
    [
      'a reaction to nothing',
      'reactions',
      (text) => text.replace(/"message_id":\d+/, '"message_id":1'),
      /^reactions\.jsonl, line 1: "message_id" is 1, and messages/,
    ],
    [
      'a reaction too many',
      'reactions',
      (text) => `${text}${firstLine(text)}\n`,
      /^reactions\.jsonl, line \d+: "extra" of its message does not count it\.$/,
    ],
    [
      'a reaction too few',
      'reactions',
      (text) => text.slice(text.indexOf('\n') + 1),
      /^messages\.jsonl, line \d+: "extra" counts reactions that/,
    ],
    [
      'a line without an end',
      'reactions',
      () => `{"emoji":"${'x'.repeat(2_000_000)}"}\n`,
      /^reactions\.jsonl, line 1 is too long\.$/,
    ],
  ])('refuses %s, and changes nothing', async (_, table, damage, sentence) => {
    const from = importing.path('copy');
    cpSync(good, from, { recursive: true });
    rewrite(from, `${table}.jsonl`, (text) => {
      const damaged = damage(text);
      expect(damaged).not.toBe(text);
      return damaged;
    });
    await expect(importing.bring(target, from)).rejects.toMatchObject({
      name: 'UnusableDatabaseError',
      message: expect.stringMatching(sentence),
    });
    expect(contentOf(await importing.export(target))).toEqual(before);
  });
});

function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n'));
}

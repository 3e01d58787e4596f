import { describe, expect, test } from 'vitest';
import { openQuery } from './open-query.ts';

/** The query at the caret, which is `|`: its kind and what was typed, and what it would replace. */
function at(marked: string): string | null {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const query = openQuery(text, caret);
  return query && `${query.kind} ${query.typed} <${text.slice(query.start, query.end)}>`;
}

describe('a mention is completed', () => {
  test.each([
    ['@|', 'person  <@>'],
    ['hi @an|', 'person an <@an>'],
    ['hi @an|n lee', 'person an <@an>'],
    ['(@an|', 'person an <@an>'],
    ['@"ann l|', 'person ann l <@"ann l>'],
    ['@Anna L|', 'person Anna L <@Anna L>'],
    ['@Anna Lee K|', 'person Anna Lee K <@Anna Lee K>'],
    ['请@小|', 'person 小 <@小>'],
    ['line\n@an|', 'person an <@an>'],
    ['＠ma|', 'person ma <＠ma>'],
    ['请＠小|', 'person 小 <＠小>'],
    ['请@"ann l|', 'person ann l <@"ann l>'],
    ['@ann/@bo|', 'person bo <@bo>'],
    ['`code` @an|', 'person an <@an>'],
  ])('at %j', (marked, found) => expect(at(marked)).toBe(found));
});

describe('an emoji is completed from its second letter on', () => {
  test.each([
    [':sm|', 'emoji sm <:sm>'],
    ['hi :+1|', 'emoji +1 <:+1>'],
    [':tada:|', 'emoji tada <:tada:>'],
    [':火箭|', 'emoji 火箭 <:火箭>'],
    ['你好:smile|', 'emoji smile <:smile>'],
    ['你好:tada:|', 'emoji tada <:tada:>'],
  ])('at %j', (marked, found) => expect(at(marked)).toBe(found));
});

describe('nothing is completed', () => {
  test.each([
    'ann@ex|',
    '@ann |',
    '@ann lee kim park|',
    '@ann, hi|',
    '@ann. hi|',
    '@ann  hi|',
    'x@ann hi|',
    ':s|',
    ':)|',
    '10:30|',
    'https://a|',
    'a:smile|',
    '注意：你好|',
    '时间:今天|',
    'types/@ann|',
    '@@ann|',
    '`@an|',
    '`:sm|',
    '```\n@an|',
    '@ann\n|',
    'no mark|',
    `@${'x'.repeat(80)}|`,
  ])('at %j', (marked) => expect(at(marked)).toBeNull());
});

import { expect, test } from 'vitest';
import { parseMarkdown } from '../../../../protocol/markdown/parse.ts';
import { MENTION } from '../../../../protocol/testing/markdown-cases.ts';
import { outline } from '../../../../protocol/testing/outline.ts';
import { markMentions } from './mark-mentions.ts';

const MENTIONED = {
  idByKey: new Map([
    ['ann', 1],
    ['ann lee', 2],
    ['小明', 3],
  ]),
  isRoom: true,
};

/** Each mention as `[id:text]`. */
function marked(content: string, mentioned = MENTIONED): string {
  const blocks = parseMarkdown(content);
  const all = markMentions(blocks, mentioned, ({ userId, key }) => <b key={`${userId ?? 'room'}#${key}`} />);
  return outline(all).replace(/<(\w+)#[^>]*>(.*?)<\/>/g, '[$1:$2]');
}

test.each([
  ['hi @ann!', 'hi [1:@ann]!'],
  ['@ANN, @"ann lee" @bo', '[1:@ANN], [2:@ann lee] @bo'],
  ["**@ann's** ~~@ann~~", "<strong>[1:@ann]'s</strong> <del>[1:@ann]</del>"],
  ['@小明请看', '[3:@小明]请看'],
  ['- @ann\n- x', '<ul><li>[1:@ann]</li><li>x</li></ul>'],
  ['@room and @here', '[room:@room] and [room:@here]'],
  ['`@ann` [@ann](https://a.example)', '<code>@ann</code> <a https://a.example>@ann</a>'],
  ['> @ann\n@ann', '<quote>@ann</quote>[1:@ann]'],
])('%j is shown as %j', (content, shown) => expect(marked(content)).toBe(shown));

test('a name, and a call of the room, that the server did not take for a mention stays text', () => {
  expect(marked('@ann @room', { idByKey: new Map(), isRoom: false })).toBe('@ann @room');
});

test('the table of Markdown: a screen shows a mention without its quotes', () => {
  expect(marked(MENTION.text).replace(/\[\d:(.*?)\]/, '$1')).toBe(MENTION.words);
});

/**
 * The table of Markdown: a text, the outline of what it becomes (`outline.ts`), and its words. Everything that shows or
 * reads out a message is tested against it: the parser, excerpts, notifications, the announcements to screen readers,
 * and the screen.
 */
export interface MarkdownCase {
  readonly text: string;
  readonly outline: string;
  /** Its words in one line. */
  readonly words: string;
}

const row = (text: string, outline: string, words: string): MarkdownCase => ({ text, outline, words });
/** Shown as it was typed. */
const plain = (text: string) => row(text, text, text.replace(/\s+/g, ' ').trim());
/** An address in a text: `before<address>after`. */
function address(text: string): MarkdownCase {
  const [before = '', link = '', after = ''] = text.split(/[‹›]/);
  const href = link.startsWith('www.') ? `https://${link}` : link;
  const typed = before + link + after;
  return row(typed, `${before}<a ${href}>${link}</a>${after}`, typed);
}

export const EMPHASIS: readonly MarkdownCase[] = [
  row('**bold** and __bold__', '<strong>bold</strong> and <strong>bold</strong>', 'bold and bold'),
  row('*italic* and _italic_', '<em>italic</em> and <em>italic</em>', 'italic and italic'),
  row('***both***', '<em><strong>both</strong></em>', 'both'),
  row('~~no~~ **yes**', '<del>no</del> <strong>yes</strong>', 'no yes'),
  row('**a *b* c**', '<strong>a <em>b</em> c</strong>', 'a b c'),
  row('a~~b~~c', 'a<del>b</del>c', 'abc'),
  row('__init__.py', '<strong>init</strong>.py', 'init.py'),
  row('**two\nlines**', '<strong>two\nlines</strong>', 'two lines'),
  // Beside Chinese, Japanese and Korean no space is set.
  row('中文*强调*中文', '中文<em>强调</em>中文', '中文强调中文'),
  row('**注意：**请看', '<strong>注意：</strong>请看', '注意：请看'),
  row('他说**“你好”**然后', '他说<strong>“你好”</strong>然后', '他说“你好”然后'),
  row('中文**粗体（括号）**中文', '中文<strong>粗体（括号）</strong>中文', '中文粗体（括号）中文'),
  row('**括弧（かっこ）。**次', '<strong>括弧（かっこ）。</strong>次', '括弧（かっこ）。次'),
  row('*注意：*请看', '<em>注意：</em>请看', '注意：请看'),
  row('~~注意：~~请看', '<del>注意：</del>请看', '注意：请看'),
  row('**한국어(Korean)**는', '<strong>한국어(Korean)</strong>는', '한국어(Korean)는'),
  row('**重要——**请看', '<strong>重要——</strong>请看', '重要——请看'),
  row('看**“一”**和**“二”**吧', '看<strong>“一”</strong>和<strong>“二”</strong>吧', '看“一”和“二”吧'),
  row('**「引用」**です', '<strong>「引用」</strong>です', '「引用」です'),
  row('看**`代码`**吧', '看<strong><code>代码</code></strong>吧', '看代码吧'),
  plain('**a.**b'),
  plain('2*3*4 and 2**3**4'),
  plain('中文_斜体_中文'),
  plain('snake_case_name'),
  plain('2 * 3 * 4'),
  plain('~5 minutes, ~10 at most'),
  plain('~~~drawing~~~ of'),
  plain('>:( and >_<'),
  plain('¯\\_(ツ)_/¯'),
  plain('C:\\*.txt and \\*stars\\*'),
];

export const CODE: readonly MarkdownCase[] = [
  row('`code *as it is*`', '<code>code *as it is*</code>', 'code *as it is*'),
  row('`` a`b ``', '<code>a`b</code>', 'a`b'),
  row('```one line```', '<code>one line</code>', 'one line'),
  row('```\na\n\n  b *c*\n```', '<pre>a\n\n  b *c*</pre>', 'a b *c*'),
  row('```js\nlet a = 1;\n```', '<pre js>let a = 1;</pre>', 'let a = 1;'),
  row('```python title="x.py"\nx\n```', '<pre python>x</pre>', 'x'),
  row('```js {1,3}\nx\n```', '<pre js>x</pre>', 'x'),
  row('```js{1,3}\nx\n```', '<pre js>x</pre>', 'x'),
  row('```{.python}\nx\n```', '<pre python>x</pre>', 'x'),
  row('```{.python .numbers}\nx\n```', '<pre python>x</pre>', 'x'),
  row('```rust,ignore\nx\n```', '<pre rust>x</pre>', 'x'),
  row("~~~ts title='a b' {2}\nx\n~~~", '<pre ts>x</pre>', 'x'),
  row('``` title="x.py"\nx\n```', '<pre>x</pre>', 'x'),
  row('```\tjs\nx\n```', '<pre js>x</pre>', 'x'),
  // Words behind a fence may be code. A fence would swallow them.
  plain('```export A=b\nand more'),
  plain('```let a = 1;\nlet b = 2;'),
  plain('```js const a\nb'),
];

export const LISTS: readonly MarkdownCase[] = [
  row('- one\n- two', '<ul><li>one</li><li>two</li></ul>', 'one two'),
  row('1. one\n2. two', '<ol><li 1>one</li><li 2>two</li></ol>', '1. one 2. two'),
  row('1) a', '<ol )><li 1>a</li></ol>', '1) a'),
  row('- a\n\t- b', '<ul><li>a<ul><li>b</li></ul></li></ul>', 'a b'),
  row('* a\n\t* b\n\t\t* c', '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>', 'a b c'),
  row('1. a\n\t1. b', '<ol><li 1>a<ol><li 1>b</li></ol></li></ol>', '1. a 1. b'),
  row('-\ta\n-\tb', '<ul><li>a</li><li>b</li></ul>', 'a b'),
  row('1.\ta\n2.\tb', '<ol><li 1>a</li><li 2>b</li></ol>', '1. a 2. b'),
  row('- a\n\tgoes on', '<ul><li>a\ngoes on</li></ul>', 'a goes on'),
  row('- a\n\t```\n\t\tx\n\t```', '<ul><li>a<pre>\tx</pre></li></ul>', 'a x'),
  row('> a\n>\t- b', '<quote>a<ul><li>b</li></ul></quote>', 'a b'),
  plain('-\t-\t-'),
];

export const QUOTES: readonly MarkdownCase[] = [
  row('> said\nanswer', '<quote>said</quote>answer', 'said answer'),
  row('> > deep', '<quote><quote>deep</quote></quote>', 'deep'),
  row('> > > deeper\n> less', '<quote><quote><quote>deeper</quote></quote>less</quote>', 'deeper less'),
  row('>\tsaid', '<quote>\tsaid</quote>', 'said'),
  plain('# heading'),
  plain('| a | b |\n|---|---|'),
];

export const LINKS: readonly MarkdownCase[] = [
  row('[docs](https://e.com/x)', '<a https://e.com/x>docs</a>', 'docs'),
  row('[t](https://e.com "title")', '<a https://e.com>t</a>', 't'),
  row("[t](https://e.com 'title')", '<a https://e.com>t</a>', 't'),
  row('[t](<https://e.com> (title))', '<a https://e.com>t</a>', 't'),
  row('[**t**](https://e.com/a_(b))', '<a https://e.com/a_(b)><strong>t</strong></a>', 't'),
  row('[a [b] c](https://e.com)', '<a https://e.com>a [b] c</a>', 'a [b] c'),
  row('<https://e.com>', '<a https://e.com>https://e.com</a>', 'https://e.com'),
  row('<ann@e.com>', '<a mailto:ann@e.com>ann@e.com</a>', 'ann@e.com'),
  row('**https://e.com**', '<strong><a https://e.com>https://e.com</a></strong>', 'https://e.com'),
  row(
    '[bank.example](https://evil.example/)',
    '<a https://evil.example/>bank.example (evil.example)</a>',
    'bank.example (evil.example)',
  ),
  row(
    '[https://bank.example](https://evil.example)',
    '[https://bank.example](<a https://evil.example>https://evil.example</a>)',
    '[https://bank.example](https://evil.example)',
  ),
  row(
    '[see https://e.com](https://e.com/x)',
    '<a https://e.com/x>see https://e.com</a>',
    'see https://e.com',
  ),
  plain('![a cat](https://e.com/cat.png)'),
  plain('[x](javascript:alert(1))'),
  plain('[x](/rooms/1)'),
  plain('[x]: https'),
];

export const ADDRESSES: readonly MarkdownCase[] = [
  ...[
    "‹https://e.com/it's›",
    "‹https://e.com/Murphy's_law›",
    "‹https://e.com/a?q=it's›",
    "'‹https://e.com/a›'",
    "'‹https://e.com/it's›'",
    "‹https://e.com›'s page",
    '请看‹https://e.com/a›',
    '見て‹https://e.com/a›',
    '看‹www.e.com›',
    '보세요‹https://e.com/a›',
    '‹https://e.com›的内容',
    '‹https://e.com:8080›的内容',
    '‹https://10.0.0.1›的内容',
    '‹www.e.com›です',
    '‹https://e.com›에서',
    '‹https://e.com/路径›，好',
    '‹https://中国.公司/›',
    '‹https://例え.jp›',
    '‹https://e.com/__init__›',
    'see ‹www.a.example›.',
    '(‹https://a.example/b_(c)›)',
    '‹https://münchen.de/straße›',
    '‹https://πρωϊνή.gr›',
    '‹https://почта.рф›',
    '‹https://сора.рф›',
  ].map(address),
  row(
    '__https://e.com__ and',
    '<strong><a https://e.com>https://e.com</a></strong> and',
    'https://e.com and',
  ),
  row(
    'https://аррӏе.com/',
    '<a https://xn--80ak6aa92e.com/>https://xn--80ak6aa92e.com/</a>',
    'https://xn--80ak6aa92e.com/',
  ),
  row(
    '[t](https://аррӏе.com)',
    '<a https://xn--80ak6aa92e.com>t (xn--80ak6aa92e.com)</a>',
    't (xn--80ak6aa92e.com)',
  ),
  row(
    'www.gооgle.com',
    '<a https://www.xn--ggle-55da.com>www.xn--ggle-55da.com</a>',
    'www.xn--ggle-55da.com',
  ),
  row(
    'https://ɡoogle.com',
    '<a https://xn--oogle-qmc.com>https://xn--oogle-qmc.com</a>',
    'https://xn--oogle-qmc.com',
  ),
  plain('xhttps://a.example'),
  plain('https://user@e.com'),
];

/** A mention in quotes, of a person who is mentioned and called so. */
export const MENTION: MarkdownCase = row('@"ann lee" hello', '@"ann lee" hello', '@ann lee hello');

export const MARKDOWN_CASES: readonly MarkdownCase[] = [
  ...[EMPHASIS, CODE, LISTS, QUOTES, LINKS, ADDRESSES].flat(),
  plain('hello'),
];

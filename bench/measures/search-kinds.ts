/** The kinds of query that the search is measured with. */
import { signAt, type Texts } from '../search-texts.ts';

/** Texts from which stretches are taken. */
const SAMPLED = 1000;

export interface SearchPlaces {
  /** A room of many messages. */
  room: string;
  /** Rooms of a few. */
  tiny: readonly string[];
  author: string;
}

/** What is typed; another number gives another query of the same kind, where there are several. */
export type Typed = (number: number) => string;

/** `texts`: as they were when the messages were written. */
export function kindsOf(texts: Texts, { room, tiny, author }: SearchPlaces): Record<string, Typed> {
  const { words } = texts;
  const some = Array.from({ length: SAMPLED }, () => texts.next());
  const chinese = some.filter((text) => text.charCodeAt(0) > 127);
  const latin = some.map((text) => text.split(' ')).filter((own) => own.length > 3);
  const long = latin.filter((own) => own.length >= 12);
  const [the = '', of = '', and = '', to = ''] = words;
  const middle = (number: number) => words[500 + (number % 200)] ?? the;
  const rare = (number: number) => words[words.length - 1 - (number % 500)] ?? the;
  const signs = (number: number, length: number) => (chinese[number % chinese.length] ?? '').slice(0, length);
  return {
    'one letter': () => 'a',
    'a word of two letters': () => of,
    'three letters': (number) => ['con', 'ver', 'ser', 'pro', 'tan'][number % 5] ?? 'con',
    'the commonest word': () => the,
    'a rare word': rare,
    'no hit': (number) => `nowhere${number}`,
    'three words of a text': (number) => `"${(latin[number % latin.length] ?? []).slice(0, 3).join(' ')}"`,
    'three common words in a row': () => `"${of} ${and} ${to}"`,
    'the end of long words': () => 'versicherung',
    'another form': (number) => ['running', 'releases', 'servers', 'released'][number % 4] ?? 'releases',
    'exactly one word': (number) => `"${middle(number)}"`,
    'without a word': (number) => `${middle(number)} -${the}`,
    'a Chinese character': (number) => signAt(3 * (number % 100)),
    'two Chinese characters': (number) => signs(number, 2),
    'three Chinese characters': (number) => signs(number, 3),
    'from: and a word': (number) => `from:${author} ${middle(number)}`,
    'in: and a common word': () => `in:"${room}" ${the}`,
    'a common word in three tiny rooms': () => `${the} ${tiny.map((name) => `in:"${name}"`).join(' ')}`,
    'twelve words of a text': (number) => (long[number % long.length] ?? []).slice(0, 12).join(' '),
    'the twelve commonest words': () => words.slice(0, 12).join(' '),
  };
}

/**
 * The words of a text, as docs/PROTOCOL.md ("Search") and docs/decisions/0112 have them: slow, plain, and without a line
 * of the search itself, so that it can say when the search is wrong.
 */

export interface NaiveWord {
  form: string;
  kind: 'word' | 'sign' | 'emoji';
  /** Its place among the words, and the place of the word that follows it. */
  at: number;
  next: number;
  /** It is a part of the word before it, as `user` is of `user_id`. */
  isPart: boolean;
}

/** Scripts of which each character is a word. */
const NO_SPACES =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const LETTER = /^[\p{L}\p{N}]/u;
const BELONGS_TO_THE_LAST = /^[\p{M}\uFF9E\uFF9F\u200C\u200D]$/u;
const IS_EMOJI = /^(?:\p{Extended_Pictographic}|\p{RI}\p{RI}|[0-9#*]\uFE0F?\u20E3)/u;
const APOSTROPHES = "'`´‘’‛′ʹʻʼʽʾʿˈ׳";
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

type PieceKind = 'letter' | 'sign' | 'emoji' | 'apostrophe' | 'underscore' | 'gap';

interface Piece {
  text: string;
  kind: PieceKind;
}

/** The characters of the text, each with the marks that belong to it. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { segment } of GRAPHEMES.segment(text.normalize('NFC'))) {
    if (IS_EMOJI.test(segment)) pieces.push({ text: segment, kind: 'emoji' });
    else
      for (const character of segment) {
        const last = pieces.at(-1);
        if (BELONGS_TO_THE_LAST.test(character) && last) last.text += character;
        else pieces.push({ text: character, kind: kindOf(character) });
      }
  }
  return pieces;
}

function kindOf(character: string): PieceKind {
  if (APOSTROPHES.includes(character)) return 'apostrophe';
  if (character === '_') return 'underscore';
  if (!LETTER.test(character)) return 'gap';
  return NO_SPACES.test(character) ? 'sign' : 'letter';
}

/** Each stretch of letters, with the apostrophes and underscores between them; each sign; each emoji. */
function stretchesOf(text: string): Piece[] {
  const pieces = piecesOf(text);
  const stretches: Piece[] = [];
  for (let index = 0; index < pieces.length; ) {
    const { text: first, kind } = pieces[index] as Piece;
    if (kind === 'sign' || kind === 'emoji') stretches.push({ text: first, kind });
    if (kind !== 'letter') index++;
    else {
      let end = index + 1;
      for (let look = end; look < pieces.length; look++) {
        const seen = pieces[look]?.kind;
        if (seen === 'letter') end = look + 1;
        else if (seen !== 'underscore' && !(seen === 'apostrophe' && look === end)) break;
      }
      const text = pieces.slice(index, end).map((piece) => piece.text);
      stretches.push({ text: text.join(''), kind: 'letter' });
      index = end;
    }
  }
  return stretches;
}

/** `getUserId` and `get_user_id` are get, user and id; `HTTPServer` is http and server; `l'homme` is l and homme. */
function partsOf(word: string): string[] {
  const characters = [...word];
  const isUpper = (at: number) => /^\p{Lu}$/u.test(characters[at] ?? '');
  const isLower = (at: number) => /^\p{Ll}$/u.test(characters[at] ?? '');
  const parts: string[] = [''];
  for (const [at, character] of characters.entries()) {
    const isSeparator = character === '_' || APOSTROPHES.includes(character);
    const isNewPart =
      isSeparator || (isUpper(at) && isLower(at - 1)) || (isUpper(at) && isUpper(at - 1) && isLower(at + 1));
    if (isNewPart) parts.push('');
    if (!isSeparator) parts[parts.length - 1] += character;
  }
  return parts.filter((part) => part !== '');
}

/** All words of a text in their order, the parts of a word behind it. */
export function naiveWords(text: string): NaiveWord[] {
  const words: NaiveWord[] = [];
  let at = 0;
  for (const stretch of stretchesOf(text)) {
    if (stretch.kind !== 'letter') {
      const isEmoji = stretch.kind === 'emoji';
      const form = isEmoji ? stretch.text.replace(/[\uFE0F\p{EMod}]/gu, '') : naiveForm(stretch.text);
      words.push({ form, kind: isEmoji ? 'emoji' : 'sign', at, next: ++at, isPart: false });
      continue;
    }
    const parts = partsOf(stretch.text);
    const next = at + parts.length;
    words.push({ form: naiveForm(stretch.text), kind: 'word', at, next, isPart: false });
    if (parts.length > 1)
      for (const [index, part] of parts.entries())
        words.push({
          form: naiveForm(part),
          kind: 'word',
          at: at + index,
          next: at + index + 1,
          isPart: true,
        });
    at = next;
  }
  return words;
}

const WITHOUT_ACCENTS = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]$/u;
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ς: 'σ' },
};

/** Without accents, capitals and apostrophes; hiragana for katakana. */
export function naiveForm(text: string): string {
  let form = '';
  let base = '';
  for (const character of text.normalize('NFKD').toLowerCase().normalize('NFKD')) {
    const isMark = /^\p{M}$/u.test(character);
    if (isMark && WITHOUT_ACCENTS.test(base)) continue;
    if (!isMark) base = character;
    if (!APOSTROPHES.includes(character)) form += PLAIN[character] ?? character;
  }
  return [...form.normalize('NFKC')].map(hiraganaFor).join('');
}

function hiraganaFor(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : character;
}

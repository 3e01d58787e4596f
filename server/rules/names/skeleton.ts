/** What characters look like (Unicode TS 39, Unicode Security Mechanisms, §4 and §5). */
import { LOOK_ALIKES } from './look-alikes.ts';

/** By its standard code, every script that names may be written in; the last three are written together. */
const SCRIPTS = [
  'Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari',
  'Cham Cher Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Geor Glag Gong Gonm Goth',
  'Gran Grek Gujr Guru Hang Hani Hano Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr',
  'Khoj Kits Knda Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend',
  'Merc Mero Mlym Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Orkh Orya Osge',
  'Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd',
  'Sind Sinh Sogd Sogo Sora Soyo Sund Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai',
  'Tibt Tirh Tnsa Toto Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb Hani+Hira+Kana Hani+Hang Hani+Bopo',
].join(' ');

const ASCII = /^\p{ASCII}*$/u;
const ASCII_LETTER_OR_DIGIT = /^[a-z0-9]$/i;
/** Dotless i is an ordinary letter in Turkish, so Turkish names are not refused for it. */
const LATIN_OR_SYMBOL = /(?!\u0131)(?!\p{ASCII})[\p{Script=Latin}\p{Script=Zyyy}]/gu;

/**
 * Symbols that stand for letters, which TS 39 leaves out: alphabets in discs, in squares and of flags by their first
 * letter; and for a letter each that are drawn like it.
 */
const DRAWN_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];
const DRAWN_LETTERS: readonly (readonly [letter: string, symbols: string])[] = [
  ['o', '○●◯⚪⚫⭕⬤⭘◎◉⊙⊚⦾⦿☉⚬❍🔴🔵🟠🟡🟢🟣🟤⊕⊗⊘⌀'],
  ['x', '✕✖✗✘❌❎╳⨉⨯☓🗙🗴🗵'],
  ['c', '©'],
  ['r', '®'],
  ['p', '℗'],
  ['s', '💲'],
  ['e', '€'],
  ['l', '£'],
  ['y', '¥'],
  ['c', '¢'],
  ['t', '†✝✞✟☨'],
  ['i', '❗❕'],
  ['v', '✓✔√☑✅'],
];

/** Built when first needed: most names are ASCII. */
let wholeScripts: readonly RegExp[] | undefined;
let prototypes: ReadonlyMap<string, string> | undefined;

/** Whether no one script has all the characters; digits, punctuation and marks belong to any (TS 39 §5.1). */
export function mixesScripts(name: string): boolean {
  if (ASCII.test(name)) return false;
  wholeScripts ??= SCRIPTS.split(' ').map((together) => {
    const classes = together.split('+').map((script) => `\\p{scx=${script}}`);
    return new RegExp(`^[${classes.join('')}\\p{scx=Zyyy}\\p{scx=Zinh}]*$`, 'u');
  });
  return !wholeScripts.some((script) => script.test(name));
}

/** Whether a phonetic letter or a symbol stands for a letter or digit of ASCII: `ɡ` for `g`, `⍺` for `a`. */
export function imitatesAscii(name: string): boolean {
  const suspects = name.normalize('NFC').match(LATIN_OR_SYMBOL) ?? [];
  return suspects.some((character) => ASCII_LETTER_OR_DIGIT.test(prototypeOf(character)));
}

/** Whether a symbol stands for a letter in a word of ASCII: `🅰dmin`, and not beside it, as in `Ann ✓` and `Ann🇫🇷`. */
export function hasSymbolInWord(name: string): boolean {
  const kinds = [...name].map((character) => {
    if (ASCII_LETTER_OR_DIGIT.test(character)) return 'letter';
    return isSymbolForLetter(character) ? 'symbol' : 'other';
  });
  return kinds.some((kind, index) => kind === 'symbol' && touchesLetter(kinds, index));
}

function touchesLetter(kinds: readonly string[], index: number): boolean {
  return [-1, 1].some((step) => {
    let at = index;
    while (kinds[at] === 'symbol') at += step;
    return kinds[at] === 'letter';
  });
}

function isSymbolForLetter(character: string): boolean {
  const isSymbol = /(?!\p{ASCII})(?!\p{Regional_Indicator})[\p{Script=Zyyy}]/u.test(character);
  return isSymbol && ASCII_LETTER_OR_DIGIT.test(prototypeOf(character));
}

/** The same for all texts that look alike (TS 39 §4); to be compared, never to be shown. */
export function skeleton(text: string): string {
  let result = '';
  for (const character of text.normalize('NFD')) result += prototypeOf(character);
  return result.normalize('NFD');
}

function prototypeOf(character: string): string {
  prototypes ??= readPrototypes();
  return prototypes.get(character) ?? character;
}

function readPrototypes(): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of LOOK_ALIKES) {
    const [prototype = '', characters = ''] = row.split(':');
    for (const character of characters.split(',')) found.set(fromHex(character), fromHex(prototype));
  }
  for (const start of DRAWN_ALPHABETS)
    for (let at = 0; at < 26; at++)
      found.set(String.fromCodePoint(start + at), String.fromCodePoint(0x61 + at));
  for (const [letter, symbols] of DRAWN_LETTERS) for (const symbol of symbols) found.set(symbol, letter);
  return found;
}

function fromHex(codePoints: string): string {
  return codePoints
    .split(' ')
    .map((codePoint) => String.fromCodePoint(Number.parseInt(codePoint, 16)))
    .join('');
}

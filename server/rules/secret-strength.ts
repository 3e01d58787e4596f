/** Whether a secret can be guessed: one from an example, one that repeats itself, one typed along the keyboard. */

export const MIN_SECRET_LENGTH = 32;
/** 32 random hexadecimal digits have about 32 unpredictable characters, six random words have 24. */
const MIN_UNPREDICTABLE = 20;
const MIN_DIFFERENT = 8;
/** Repeated parts of at least this length count only once. */
const REPEATED_LENGTH = 4;
/** The number of characters examined: finding repeated parts takes quadratic time. */
const MAX_EXAMINED = 256;

/** What example secrets are made of, and the rows of a keyboard. */
const KNOWN = [
  'secret jwt json web key token sign signing signature hmac hs256 hs512 sha256 bit bits byte bytes your my the',
  'this is a an and or it in of to for with please change changeme replace me default example sample test',
  'testing dev development prod production demo local super very long strong secure safe random string',
  'characters character chars at least minimum must be not use used only never share private public auth',
  'session cookie app application server api service chat roomful room node env password passwort passphrase',
  'pass admin root user login welcome letmein hello world foo bar baz lorem ipsum qwertyuiop qwertz asdfghjkl',
  'zxcvbnm azerty generate generated openssl rand base64 hex placeholder insert here value',
]
  .flatMap((line) => line.split(' '))
  .sort((one, other) => other.length - one.length);

/** How letters are disguised in passwords. */
const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** Short, of few different characters, or predictable. */
export function isGuessable(secret: string): boolean {
  return (
    secret.length < MIN_SECRET_LENGTH ||
    new Set(secret).size < MIN_DIFFERENT ||
    unpredictableCharacters(secret) < MIN_UNPREDICTABLE
  );
}

/** A word, as people write it: letters of one case, or with a capital at its start. */
const WORD = /\p{Lu}?\p{Ll}{4,}|\p{Lu}{5,}/gu;
/** A word is one of some thousands, so it is worth this number of random characters, however long it is. */
const WORTH = 4;
/** A longer run of letters may be several words without spaces, each of about `WORTH * 3 / 2` letters. */
const LONGEST_WORD = 12;

/** What each character counts. */
function worths(text: string): number[] {
  const worth = Array.from({ length: text.length }, () => 1);
  for (const { 0: word, index } of text.matchAll(WORD))
    worth.fill(
      word.length > LONGEST_WORD ? 2 / 3 : Math.min(1, WORTH / word.length),
      index,
      index + word.length,
    );
  return worth;
}

/** How many characters are left without known words, sequences (`1234`, `aaa`), repeated parts and punctuation. */
export function unpredictableCharacters(secret: string): number {
  const worth = worths(secret.slice(0, MAX_EXAMINED));
  const text = secret.slice(0, MAX_EXAMINED).toLowerCase();
  const plain = [...text].map((character) => DISGUISES[character] ?? character).join('');
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const known = Math.max(knownWord(text, at), knownWord(plain, at), sequence(text, at), repeated(text, at));
    if (known === 0 && /[\p{L}\p{N}]/u.test(text.charAt(at))) count += worth[at] ?? 1;
    at += Math.max(known, 1);
  }
  return count;
}

function knownWord(text: string, at: number): number {
  // Words of one or two letters are found in random text as well: they count only between other characters.
  const word = KNOWN.find(
    (one) => text.startsWith(one, at) && (one.length > 2 || standsAlone(text, at, one.length)),
  );
  return word?.length ?? 0;
}

function standsAlone(text: string, at: number, length: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(at + length));
}

/** The length of a run of at least three characters that all follow on each other by the same step of -1, 0 or 1. */
function sequence(text: string, at: number): number {
  const step = text.charCodeAt(at + 1) - text.charCodeAt(at);
  if (Math.abs(step) > 1) return 0;
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) - text.charCodeAt(end - 1) === step) end++;
  return end - at >= 3 ? end - at : 0;
}

/** The length of the longest part from here that also occurs earlier; 0 when it is too short to count. */
function repeated(text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && text.slice(0, at).includes(text.slice(at, at + length + 1))) length++;
  return length >= REPEATED_LENGTH ? length : 0;
}

/** The languages of which the stems of words are known (SEARCH_LANGUAGES). */

/** By the code of the language (ISO 639-1). */
export const STEMMERS = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
} as const;

export type StemLanguage = keyof typeof STEMMERS;

export function isStemLanguage(code: string): code is StemLanguage {
  return Object.hasOwn(STEMMERS, code);
}

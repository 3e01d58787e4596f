/** Every language that the client speaks, by its tag. */
export type Language = 'en' | 'zh';

/** Each by the name that its speakers know. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文' };

/** A stored value, or null when it names no language of ours. */
export function parseLanguage(value: string | null): Language | null {
  return value === 'en' || value === 'zh' ? value : null;
}

/** The first of the reader's languages that the client speaks; English when it speaks none. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = parseLanguage(tag.split('-')[0]?.toLowerCase() ?? null);
    if (language !== null) return language;
  }
  return 'en';
}

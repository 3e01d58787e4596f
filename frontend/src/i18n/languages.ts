/** Every language of the client, by its tag. */
export type Language = 'en' | 'zh';

/** Each language's own name for itself. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文' };

/** The language that a stored value names, or null. */
export function parseLanguage(value: string | null): Language | null {
  return value === 'en' || value === 'zh' ? value : null;
}

/** The first of the user's languages that the client has; English when it has none. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = parseLanguage(tag.split('-')[0]?.toLowerCase() ?? null);
    if (language !== null) return language;
  }
  return 'en';
}

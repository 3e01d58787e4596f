import { create } from 'zustand';
import { localStore } from '../stores/device.ts';
import { type Catalogue, en } from './en.ts';
import { type Language, languageOf, parseLanguage } from './languages.ts';

const KEY = 'chat_language';

interface LanguageStore {
  readonly language: Language;
  readonly text: Catalogue;
  /** Speaks this language from now on, on this device; rejects when it cannot be loaded. */
  choose(language: Language): Promise<void>;
}

export const useLanguage = create<LanguageStore>(() => ({
  language: 'en',
  text: en,
  choose: async (language) => {
    await speak(language);
    localStore.setItem(KEY, language);
  },
}));

/** The language asked for last: two that load at once arrive in any order. */
let wanted: Language = 'en';

async function speak(language: Language): Promise<void> {
  wanted = language;
  const text = await load(language);
  if (wanted !== language) return;
  document.documentElement.lang = text.locale;
  useLanguage.setState({ language, text });
}

/** English is always at hand; another language is loaded by those who speak it. */
async function load(language: Language): Promise<Catalogue> {
  switch (language) {
    case 'en':
      return en;
    case 'zh':
      return (await import('./zh.ts')).zh;
  }
}

/** So long nothing is said rather than something in another language. */
const START_WITHIN_MS = 1500;

/**
 * Speaks the language chosen on this device, else the browser's; follows the other tabs. Never rejects, and resolves soon:
 * when the language takes longer than that to come, the client speaks English until it has.
 */
export async function startLanguage(): Promise<void> {
  window.addEventListener('storage', (event) => {
    const chosen = event.key === KEY ? parseLanguage(event.newValue) : null;
    if (chosen !== null) void speak(chosen).catch(() => undefined);
  });
  const language = parseLanguage(localStore.getItem(KEY)) ?? languageOf(navigator.languages);
  const late = new Promise<void>((resolve) => setTimeout(resolve, START_WITHIN_MS));
  // Without its catalogue the client speaks English: that is better than nothing.
  await Promise.race([speak(language).catch(() => undefined), late]);
}

/** The catalogue of the user's language. */
export function useText(): Catalogue {
  return useLanguage((store) => store.text);
}

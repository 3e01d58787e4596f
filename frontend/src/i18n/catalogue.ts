import { create } from 'zustand';
import { localStore } from '../stores/device.ts';
import { type Catalogue, en } from './en.ts';
import { type Language, languageOf, parseLanguage } from './languages.ts';

const KEY = 'chat_language';

interface LanguageStore {
  readonly language: Language;
  readonly text: Catalogue;
  /** Uses this language from now on, on this device. Rejects when it cannot be loaded. */
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

/** The language chosen last: two that load at once may arrive in either order. */
let wanted: Language = 'en';

async function speak(language: Language): Promise<void> {
  wanted = language;
  const text = await load(language);
  if (wanted !== language) return;
  document.documentElement.lang = text.locale;
  useLanguage.setState({ language, text });
}

/** English is always there. Another language is loaded when it is chosen. */
async function load(language: Language): Promise<Catalogue> {
  switch (language) {
    case 'en':
      return en;
    case 'zh':
      return (await import('./zh.ts')).zh;
  }
}

/** For this long nothing is shown rather than another language than the chosen one. */
const START_WITHIN_MS = 1500;

/**
 * Uses the language chosen on this device, else the browser's, and that which another tab chooses. Never rejects, and
 * resolves soon: when the language takes longer than that to load, the client is in English until it has.
 */
export async function startLanguage(): Promise<void> {
  window.addEventListener('storage', (event) => {
    const chosen = event.key === KEY ? parseLanguage(event.newValue) : null;
    if (chosen !== null) void speak(chosen).catch(() => undefined);
  });
  const language = parseLanguage(localStore.getItem(KEY)) ?? languageOf(navigator.languages);
  const late = new Promise<void>((resolve) => setTimeout(resolve, START_WITHIN_MS));
  // When the catalogue fails to load, the client stays in English.
  await Promise.race([speak(language).catch(() => undefined), late]);
}

/** The catalogue of the user's language. */
export function useText(): Catalogue {
  return useLanguage((store) => store.text);
}

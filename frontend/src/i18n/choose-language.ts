import { showToast } from '../stores/toasts.ts';
import { useLanguage } from './catalogue.ts';
import type { Language } from './languages.ts';

/** Changes the language, and shows an error when it cannot be loaded. */
export function chooseLanguage(language: Language): void {
  const { text, choose } = useLanguage.getState();
  choose(language).catch(() => showToast(text.errors.notLoaded));
}

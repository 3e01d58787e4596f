import { create } from 'zustand';
import { localStore } from './device.ts';

export type Theme = 'auto' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

const KEY = 'chat_theme';

interface ThemeStore {
  readonly theme: Theme;
  choose(theme: Theme): void;
}

function parse(value: string | null): Theme {
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** The chosen theme. `public/theme.js` applies it before the first paint, this store from then on. */
export const useTheme = create<ThemeStore>((set) => ({
  theme: parse(localStore.getItem(KEY)),
  choose: (theme) => {
    if (theme === 'auto') localStore.removeItem(KEY);
    else localStore.setItem(KEY, theme);
    apply(theme);
    set({ theme });
  },
}));

function apply(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // The browser's own bars take the colour of the page.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = meta.dataset.theme;
    meta.media = theme === 'auto' ? `(prefers-color-scheme: ${own})` : own === theme ? 'all' : 'not all';
  }
}

/** Takes over the choice made in other tabs from now on, for as long as the page lives. */
export function syncTheme(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY) return;
    const theme = parse(newValue);
    apply(theme);
    useTheme.setState({ theme });
  });
}

import { create } from 'zustand';
import { localStore } from './device.ts';

export type Theme = 'auto' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

const KEY = 'chat_theme';

interface ThemeStore {
  readonly theme: Theme;
  choose(theme: Theme): void;
}

function stored(): Theme {
  const value = localStore.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** The chosen theme; `public/theme.js` applies it before the first paint, this from then on. */
export const useTheme = create<ThemeStore>((set) => ({
  theme: stored(),
  choose: (theme) => {
    if (theme === 'auto') {
      localStore.removeItem(KEY);
      delete document.documentElement.dataset.theme;
    } else {
      localStore.setItem(KEY, theme);
      document.documentElement.dataset.theme = theme;
    }
    set({ theme });
  },
}));

import { useMemo } from 'react';
import { useLanguage, useText } from './catalogue.ts';
import type { Catalogue } from './en.ts';
import type { FormTexts } from './forms-en.ts';
import { type ScreenTexts, screensEn } from './screens-en.ts';
import { screensZh } from './screens-zh.ts';

export type { ScreenTexts };

/** The texts of the screens that are loaded when first shown, in the user's language. Import it from those alone. */
export function useScreenTexts(): ScreenTexts {
  return useLanguage((store) => store.language) === 'zh' ? screensZh : screensEn;
}

/** The same outside of components. */
export function screenTexts(): ScreenTexts {
  return useLanguage.getState().language === 'zh' ? screensZh : screensEn;
}

/** The catalogue together with the texts of dialogs and forms that are loaded when first shown. */
export type FullTexts = Catalogue & FormTexts & Pick<ScreenTexts, 'menu'>;

export function useFullTexts(): FullTexts {
  const text = useText();
  const { auth, createRoom, signOut, help, commands, switcher, menu } = useScreenTexts();
  return useMemo(
    () => ({ ...text, auth, createRoom, signOut, help, commands, switcher, menu }),
    [text, auth, createRoom, signOut, help, commands, switcher, menu],
  );
}

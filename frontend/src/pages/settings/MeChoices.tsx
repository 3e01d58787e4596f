import type { ComponentType } from 'react';
import { useLanguage } from '../../i18n/catalogue.ts';
import { chooseLanguage } from '../../i18n/choose-language.ts';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { THEMES, type Theme, useTheme } from '../../stores/theme.ts';
import { Choice } from '../../ui/Choice.tsx';
import { AutoIcon, MoonIcon, SunIcon } from '../../ui/late-icons.tsx';

const ICONS: Readonly<Record<Theme, ComponentType<{ readonly size?: number }>>> = {
  auto: AutoIcon,
  light: SunIcon,
  dark: MoonIcon,
};

interface ChoiceProps {
  /** Of its radio buttons. */
  readonly name: string;
  readonly look?: 'field';
}

/** The theme, on this device. */
export function ThemeChoice(props: ChoiceProps) {
  const { menu } = useScreenTexts();
  const { theme, choose } = useTheme();
  const options = THEMES.map((value) => {
    const Icon = ICONS[value];
    return { value, label: menu[value], icon: <Icon size={16} /> };
  });
  return <Choice {...props} legend={menu.theme} options={options} chosen={theme} onChoose={choose} />;
}

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES).map(([tag, label]) => {
  return { value: tag as Language, label, lang: tag };
});

/** The language, on this device. */
export function LanguageChoice(props: ChoiceProps) {
  const { menu } = useScreenTexts();
  const language = useLanguage((store) => store.language);
  return (
    <Choice
      {...props}
      legend={menu.language}
      options={LANGUAGE_OPTIONS}
      chosen={language}
      onChoose={chooseLanguage}
    />
  );
}

import type { ComponentType } from 'react';
import { useLanguage, useText } from '../i18n/catalogue.ts';
import { chooseLanguage } from '../i18n/choose-language.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useRoom } from '../stores/room.ts';
import { askToSignOut } from '../stores/session.ts';
import { THEMES, type Theme, useTheme } from '../stores/theme.ts';
import { AutoIcon, KeyboardIcon, MoonIcon, SignOutIcon, SunIcon } from '../ui/icons.tsx';
import { Keys } from '../ui/Keys.tsx';
import { KEY_NAMES } from '../ui/shortcuts.ts';
import { Choice } from './Choice.tsx';
import styles from './MeMenu.module.css';

const ICONS: Readonly<Record<Theme, ComponentType<{ readonly size?: number }>>> = {
  auto: AutoIcon,
  light: SunIcon,
  dark: MoonIcon,
};

/** What the menu of the account offers. */
export function MeMenuItems() {
  const text = useText();
  return (
    <>
      <ThemeChoice />
      <LanguageChoice />
      <Latency />
      <button
        type="button"
        className={`${styles.item} ${styles.shortcuts}`}
        onClick={() => useDialogs.getState().show({ kind: 'help' })}
      >
        <KeyboardIcon size={18} />
        <span className={styles.itemText}>{text.help.title}</span>
        <Keys isHint keys={[KEY_NAMES.command, '/']} />
      </button>
      <button type="button" className={styles.item} onClick={askToSignOut}>
        <SignOutIcon size={18} />
        {text.me.signOut}
      </button>
    </>
  );
}

/** The round-trip time to the server, while there is a connection. */
function Latency() {
  const text = useText();
  const latencyMs = useRoom((store) => store.state?.latencyMs ?? null);
  if (latencyMs === null) return null;
  return <p className={styles.latency}>{text.me.latency(Math.round(latencyMs))}</p>;
}

function ThemeChoice() {
  const text = useText();
  const { theme, choose } = useTheme();
  const options = THEMES.map((value) => {
    const Icon = ICONS[value];
    return { value, label: text.me[value], icon: <Icon size={16} /> };
  });
  return <Choice name="theme" legend={text.me.theme} options={options} chosen={theme} onChoose={choose} />;
}

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES).map(([tag, label]) => {
  return { value: tag as Language, label, lang: tag };
});

function LanguageChoice() {
  const text = useText();
  const language = useLanguage((store) => store.language);
  return (
    <Choice
      name="language"
      legend={text.me.language}
      options={LANGUAGE_OPTIONS}
      chosen={language}
      onChoose={chooseLanguage}
    />
  );
}

import { useMemo } from 'react';
import { useLanguage } from '../i18n/catalogue.ts';
import { chooseLanguage } from '../i18n/choose-language.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import { type FullTexts, type ScreenTexts, useFullTexts, useScreenTexts } from '../i18n/screens.ts';
import { readAll } from '../parts/rooms/read-all.ts';
import { chat } from '../stores/chat.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { usePeople } from '../stores/people.ts';
import { hidePanel, navigate, type Route, showPanel, useRoute } from '../stores/route.ts';
import { openSearch } from '../stores/search.ts';
import { askToSignOut } from '../stores/session.ts';
import { THEMES, useTheme } from '../stores/theme.ts';
import { meButton } from '../ui/me-button.ts';
import type { SwitcherCommand } from './switcher-items.ts';

export interface Command extends SwitcherCommand {
  readonly run: () => void;
}

/** The commands that the quick switcher offers now. English words find them in every language. */
export function useCommands(): readonly Command[] {
  const text = useFullTexts();
  const screens = useScreenTexts();
  const { jump, status } = screens;
  const isAdmin = usePeople(({ profiles }) => profiles.get(chat().user?.id ?? 0)?.role === 'admin');
  const { theme, choose } = useTheme();
  const language = useLanguage((store) => store.language);
  const route = useRoute((store) => store.route);
  return useMemo(() => {
    const { show } = useDialogs.getState();
    const { commands } = text;
    const createRoom = (): void => show({ kind: 'create_room', suggestion: '' });
    return [
      {
        id: 'new_dm',
        label: text.sidebar.newMessage,
        keywords: 'direct message dm person write',
        run: () => show({ kind: 'new_dm' }),
      },
      ...placeCommands(screens, isAdmin),
      {
        id: 'search',
        label: screens.search.title,
        keywords: 'search find messages history',
        run: () => openSearch(),
      },
      {
        id: 'browse',
        label: text.sidebar.browse,
        keywords: 'browse all rooms join',
        run: () => navigate('/browse'),
      },
      {
        id: 'settings',
        label: text.menu.settings,
        keywords: 'settings profile sessions',
        run: () => navigate('/settings'),
      },
      {
        id: 'status',
        label: status.title,
        keywords: 'status away busy meeting holiday',
        run: () => show({ kind: 'status', anchor: meButton() }),
      },
      {
        id: 'read_all',
        label: text.help.readAll,
        keywords: 'mark all rooms read unread',
        run: () => readAll(),
      },
      { id: 'create_room', label: commands.createRoom, keywords: 'create new room', run: createRoom },
      ...(route.page === 'room' ? commandsInRoom(route, text, jump) : []),
      ...THEMES.filter((value) => value !== theme).map((value) => ({
        id: `theme_${value}`,
        label: commands.theme(text.menu[value]),
        keywords: `theme ${value}`,
        run: () => choose(value),
      })),
      ...languageCommands(language, text),
      {
        id: 'help',
        label: text.help.title,
        keywords: 'help keyboard shortcuts keys',
        run: () => show({ kind: 'help' }),
      },
      {
        id: 'sign_out',
        label: text.menu.signOut,
        keywords: 'sign out log out leave',
        run: askToSignOut,
      },
    ];
  }, [text, screens, jump, status, isAdmin, theme, choose, language, route]);
}

/** The pages that the sidebar and the menu of the own name lead to. */
function placeCommands(
  { inbox, thread, savedPage, admin }: ScreenTexts,
  isAdmin: boolean,
): readonly Command[] {
  return [
    { id: 'inbox', label: inbox.title, keywords: 'inbox mentions', run: () => navigate('/inbox') },
    { id: 'threads', label: thread.page, keywords: 'threads replies', run: () => navigate('/threads') },
    {
      id: 'saved',
      label: savedPage.title,
      keywords: 'saved messages bookmarks',
      run: () => navigate('/saved'),
    },
    ...(isAdmin
      ? [
          {
            id: 'admin',
            label: admin.title,
            keywords: 'administration admin server people reports',
            run: () => navigate('/admin'),
          },
        ]
      : []),
  ];
}

/** Those about the room that is open. */
function commandsInRoom(
  { roomId, panel }: Extract<Route, { page: 'room' }>,
  { people }: FullTexts,
  { title: jumpToDate }: ScreenTexts['jump'],
): readonly Command[] {
  return [
    {
      id: 'people',
      label: people.title,
      keywords: 'people members online who',
      run: () => (panel === 'people' ? hidePanel(roomId) : showPanel(roomId, 'people')),
    },
    {
      id: 'jump_date',
      label: jumpToDate,
      keywords: 'jump go to date day calendar history',
      run: () => useDialogs.getState().show({ kind: 'jump_date', day: Date.now() }),
    },
  ];
}

/** Each leads from the language that is chosen to another one. */
function languageCommands(chosen: Language, { commands }: FullTexts): readonly Command[] {
  const tags = Object.keys(LANGUAGES) as Language[];
  return tags
    .filter((tag) => tag !== chosen)
    .map((tag) => ({
      id: `language_${tag}`,
      label: commands.language(LANGUAGES[tag]),
      keywords: `language ${tag} english chinese 中文`,
      run: () => chooseLanguage(tag),
    }));
}

import { useCallback, useState } from 'react';
import type { User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useDisplayName, usePeople } from '../../stores/people.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { askToSignOut } from '../../stores/session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import {
  BellIcon,
  BlockIcon,
  BookmarkIcon,
  DeviceIcon,
  KeyIcon,
  PersonIcon,
  ShieldIcon,
  SignOutIcon,
  SmileIcon,
  SunIcon,
} from '../../ui/late-icons.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { type Section, SectionButton, SectionLink, SectionPage } from '../../ui/SectionPage.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { BlockedSection } from './BlockedSection.tsx';
import { EmojiSection } from './EmojiSection.tsx';
import { LanguageChoice, ThemeChoice } from './MeChoices.tsx';
import { ModeratedSection } from './ModeratedSection.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import styles from './Settings.module.css';
import { StatusButton } from './StatusButton.tsx';

interface SettingsPageProps {
  readonly user: User;
  /** As the address names it. */
  readonly section: string | null;
}

/** The user's own settings. On a phone it is also the way to all else that is the user's own. */
export function SettingsPage({ user, section }: SettingsPageProps) {
  const { settings } = useScreenTexts();
  return (
    <SectionPage
      title={settings.title}
      path="/settings"
      chosen={section}
      sections={useSections(user)}
      above={<Who user={user} />}
      below={<MorePages user={user} />}
    />
  );
}

function useSections(user: User): readonly Section[] {
  const { settings, ownEmoji } = useScreenTexts();
  const load = useCallback(() => peopleRequests().me(), []);
  const me = useLoaded(load);
  /** How often the password was changed, which ends sessions. */
  const [changes, setChanges] = useState(0);
  const countChange = () => setChanges((count) => count + 1);
  return [
    {
      name: 'profile',
      title: settings.profile,
      icon: PersonIcon,
      content: (
        <WhenLoaded loaded={me.loaded} onRetry={me.reload}>
          {(value) => <ProfileSection me={value} user={user} onSaved={me.set} />}
        </WhenLoaded>
      ),
    },
    {
      name: 'appearance',
      title: settings.look,
      icon: SunIcon,
      content: (
        <div className={styles.choices}>
          <ThemeChoice name="theme-page" look="field" />
          <LanguageChoice name="language-page" look="field" />
        </div>
      ),
    },
    {
      name: 'notifications',
      title: settings.notifications,
      icon: BellIcon,
      content: (
        <WhenLoaded loaded={me.loaded} onRetry={me.reload}>
          {(value) => <NotificationsSection me={value} />}
        </WhenLoaded>
      ),
    },
    {
      name: 'emoji',
      title: ownEmoji.title,
      icon: SmileIcon,
      content: (
        <WhenLoaded loaded={me.loaded} onRetry={me.reload}>
          {(value) => <EmojiSection me={value} />}
        </WhenLoaded>
      ),
    },
    {
      name: 'password',
      title: settings.password,
      icon: KeyIcon,
      content: <PasswordSection user={user} onChanged={countChange} />,
    },
    {
      name: 'sessions',
      title: settings.sessions,
      icon: DeviceIcon,
      content: <SessionsSection key={changes} />,
    },
    {
      name: 'people',
      title: settings.blocked,
      icon: BlockIcon,
      content: (
        <>
          <BlockedSection />
          <ModeratedSection />
        </>
      ),
    },
  ];
}

function Who({ user }: { readonly user: User }) {
  const name = useDisplayName(user.id) ?? user.username;
  return (
    <>
      <div className={styles.who}>
        <Avatar size="large" userId={user.id} username={user.username} />
        <div>
          <p className={styles.name}>{name}</p>
          <p className={styles.hint}>@{user.username}</p>
        </div>
      </div>
      <StatusButton userId={user.id} />
    </>
  );
}

/** What the account menu and the places lead to elsewhere. */
function MorePages({ user }: { readonly user: User }) {
  const { admin, menu, savedPage } = useScreenTexts();
  const isAdmin = usePeople(({ profiles }) => profiles.get(user.id)?.role === 'admin');
  return (
    <div className={styles.more}>
      <SectionLink path="/saved" title={savedPage.title} icon={BookmarkIcon} />
      {isAdmin && <SectionLink path="/admin" title={admin.title} icon={ShieldIcon} />}
      <SectionButton title={menu.signOut} icon={SignOutIcon} onClick={askToSignOut} />
    </div>
  );
}

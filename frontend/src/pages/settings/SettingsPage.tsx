import { useCallback, useState } from 'react';
import type { User } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { Page, WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { BlockedSection } from './BlockedSection.tsx';
import { LanguageChoice, ThemeChoice } from './MeChoices.tsx';
import { ModeratedSection } from './ModeratedSection.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import styles from './Settings.module.css';

/** The user's own settings: profile, appearance, sessions, and blocked people. */
export function SettingsPage({ user }: { readonly user: User }) {
  const { settings } = useScreenTexts();
  const load = useCallback(() => peopleRequests().me(), []);
  const me = useLoaded(load);
  /** How often the password was changed, which ends sessions. */
  const [changes, setChanges] = useState(0);
  return (
    <Page title={settings.title}>
      <section className={styles.section}>
        <h2>{settings.profile}</h2>
        <WhenLoaded loaded={me.loaded} onRetry={me.reload}>
          {(value) => <ProfileSection me={value} user={user} onSaved={me.set} />}
        </WhenLoaded>
      </section>
      <section className={styles.section}>
        <h2>{settings.look}</h2>
        <div className={styles.choices}>
          <ThemeChoice name="theme-page" />
          <LanguageChoice name="language-page" />
        </div>
      </section>
      <WhenLoaded loaded={me.loaded} onRetry={me.reload}>
        {(value) => <NotificationsSection me={value} />}
      </WhenLoaded>
      <PasswordSection user={user} onChanged={() => setChanges((count) => count + 1)} />
      <SessionsSection key={changes} />
      <BlockedSection />
      <ModeratedSection />
    </Page>
  );
}

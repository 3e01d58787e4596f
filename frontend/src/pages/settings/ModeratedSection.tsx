import { useCallback } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { LogList } from '../../parts/moderation/LogList.tsx';
import { moderationRequests } from '../../stores/admin-requests.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import styles from './Settings.module.css';

/** What admins and moderators did about the user, and why. Nothing is shown where there is nothing. */
export function ModeratedSection() {
  const { moderate } = useScreenTexts();
  const load = useCallback(() => moderationRequests().ownAudit(), []);
  const { loaded } = useLoaded(load);
  if (loaded.status !== 'ready' || loaded.value.entries.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2>{moderate.own}</h2>
      <p className={styles.hint}>{moderate.ownHint}</p>
      <LogList entries={loaded.value.entries} label={moderate.own} />
    </section>
  );
}

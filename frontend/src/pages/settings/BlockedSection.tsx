import { useCallback } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { setBlocked } from '../../stores/blocked.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { PersonText } from '../../ui/PersonText.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import styles from './Settings.module.css';

/** The people whom the user has blocked. */
export function BlockedSection() {
  const { settings, profile } = useScreenTexts();
  const load = useCallback(() => peopleRequests().blocked(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  return (
    <section className={styles.section}>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(people) =>
          people.length === 0 ? (
            <p className={styles.hint}>
              {settings.noBlocked}. {settings.noBlockedHint}
            </p>
          ) : (
            <ul className={list.list} aria-label={settings.blocked}>
              {people.map((person) => (
                <li key={person.id} className={list.row} data-testid="blocked">
                  <Avatar userId={person.id} username={person.username} size="small" />
                  <PersonText person={person} />
                  <Button
                    aria-disabled={busy}
                    aria-label={`${profile.unblock}: ${person.username}`}
                    onClick={() =>
                      void run(async () => {
                        await peopleRequests().unblock(person.id);
                        setBlocked(person.id, false);
                        set(people.filter(({ id }) => id !== person.id));
                      })
                    }
                  >
                    {profile.unblock}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </section>
  );
}

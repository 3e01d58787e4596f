import { useCallback } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { listTime } from '../../i18n/time.ts';
import { peopleRequests } from '../../stores/requests.ts';
import { Button } from '../../ui/Button.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import { browserOf } from './browser-of.ts';
import styles from './Settings.module.css';

/** Where the user is signed in. Each session but this one can be ended. */
export function SessionsSection() {
  const text = useText();
  const { settings } = useScreenTexts();
  const load = useCallback(() => peopleRequests().sessions(), []);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  return (
    <section className={styles.section}>
      <p className={styles.hint}>{settings.sessionsHint}</p>
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(sessions) => (
          <ul className={list.list} aria-label={settings.sessions}>
            {sessions.map(({ id, user_agent: agent, last_used_at: used, current }) => {
              const name = browserOf(agent) ?? settings.unknown;
              return (
                <li key={id} className={list.row} data-testid="session">
                  <span className={list.text}>
                    <span className={list.name}>{name}</span>
                    <span className={list.note}>
                      {settings.used(listTime(text, Date.parse(used), Date.now()))}
                    </span>
                  </span>
                  {current ? (
                    <span className={list.figure}>{settings.current}</span>
                  ) : (
                    <Button
                      aria-disabled={busy}
                      aria-label={settings.endOne(name)}
                      onClick={() =>
                        void run(async () => {
                          await peopleRequests().endSession(id);
                          set(sessions.filter((session) => session.id !== id));
                        })
                      }
                    >
                      {settings.end}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </WhenLoaded>
    </section>
  );
}

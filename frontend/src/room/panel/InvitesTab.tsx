import { useCallback, useState } from 'react';
import type { RoomInfo } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { shortDay } from '../../i18n/time.ts';
import { mayInvite } from '../../parts/rooms/may-invite.ts';
import { roomRequests } from '../../stores/requests.ts';
import { Button } from '../../ui/Button.tsx';
import list from '../../ui/List.module.css';
import { MadeLink } from '../../ui/MadeLink.tsx';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import styles from './RoomPanel.module.css';

/** The links that lead into the room: made, listed and ended. */
export function InvitesTab({ room }: { readonly room: RoomInfo }) {
  const { room: texts } = useScreenTexts();
  return mayInvite(room) ? <Invites roomId={room.id} /> : <p className={styles.hint}>{texts.mayNotInvite}</p>;
}

function Invites({ roomId }: { readonly roomId: number }) {
  const text = useText();
  const { room: texts } = useScreenTexts();
  const load = useCallback(() => roomRequests().invites(roomId), [roomId]);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  const [made, setMade] = useState<string | null>(null);

  function day(at: string): string {
    return shortDay(text, Date.parse(at), Date.now());
  }

  return (
    <>
      <p className={styles.hint}>{texts.inviteHint}</p>
      <Button
        look={made === null ? 'primary' : 'plain'}
        aria-disabled={busy}
        onClick={() =>
          void run(async () => {
            const invite = await roomRequests().invite(roomId);
            setMade(invite.url);
            reload();
          })
        }
      >
        {texts.invite}
      </Button>
      {made !== null && <MadeLink key={made} url={made} hint={texts.inviteOnce} />}
      <WhenLoaded loaded={loaded} onRetry={reload}>
        {(invites) =>
          invites.length === 0 ? (
            <p className={styles.hint}>
              {texts.noInvites}. {texts.noInvitesHint}
            </p>
          ) : (
            <ul className={list.list} aria-label={texts.invites}>
              {invites.map((invite) => {
                const { id, created_by: by, expires_at: ends, max_uses: max, uses } = invite;
                return (
                  <li key={id} className={list.row} data-small="true" data-testid="invite">
                    <span className={list.text}>
                      <span className={list.name}>{texts.by(by.username)}</span>
                      <span className={list.note}>
                        {texts.ends(day(ends))} · {texts.uses(uses, max)}
                      </span>
                    </span>
                    <Button
                      aria-disabled={busy}
                      aria-label={texts.revokeOne(by.username)}
                      onClick={() =>
                        void run(async () => {
                          await roomRequests().revokeInvite(roomId, id);
                          set(invites.filter((other) => other.id !== id));
                        })
                      }
                    >
                      {texts.revoke}
                    </Button>
                  </li>
                );
              })}
            </ul>
          )
        }
      </WhenLoaded>
    </>
  );
}

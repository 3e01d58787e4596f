import type { User } from '../../../../client/index.ts';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { usePeople } from '../../stores/people.ts';
import { useRoom } from '../../stores/room.ts';
import { navigate } from '../../stores/route.ts';
import { askToSignOut } from '../../stores/session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Keys } from '../../ui/Keys.tsx';
import { GearIcon, KeyboardIcon, ShieldIcon, SignOutIcon } from '../../ui/late-icons.tsx';
import menuStyles from '../../ui/Menu.module.css';
import { KEY_NAMES } from '../../ui/shortcuts.ts';
import { LanguageChoice, ThemeChoice } from '../settings/MeChoices.tsx';
import { StatusButton } from '../settings/StatusButton.tsx';
import styles from './MeMenuContent.module.css';

interface MeMenuContentProps {
  readonly user: User;
  readonly onClose: () => void;
}

/** What the account menu offers. */
export function MeMenuContent({ user, onClose }: MeMenuContentProps) {
  const text = useFullTexts();
  const { menu } = useScreenTexts();
  return (
    <>
      <div className={styles.who}>
        <Avatar userId={user.id} username={user.username} />
        <div className={styles.whoText}>
          <p className={styles.caption}>{menu.signedInAs}</p>
          <p className={styles.fullName}>{user.username}</p>
        </div>
      </div>
      <div className={styles.status}>
        <StatusButton userId={user.id} />
      </div>
      <ThemeChoice name="theme" />
      <LanguageChoice name="language" />
      <Latency />
      <button
        type="button"
        className={menuStyles.item}
        onClick={() => {
          onClose();
          navigate('/settings');
        }}
      >
        <GearIcon size={18} />
        {menu.settings}
      </button>
      <Administration user={user} onClose={onClose} />
      <button
        type="button"
        className={`${menuStyles.item} ${styles.shortcuts}`}
        onClick={() => useDialogs.getState().show({ kind: 'help' })}
      >
        <KeyboardIcon size={18} />
        <span className={menuStyles.name}>{text.help.title}</span>
        <Keys isHint keys={[KEY_NAMES.command, '/']} />
      </button>
      <button type="button" className={menuStyles.item} onClick={askToSignOut}>
        <SignOutIcon size={18} />
        {menu.signOut}
      </button>
    </>
  );
}

/** For admins. It follows the role, which the line reports in every tab. */
function Administration({ user, onClose }: MeMenuContentProps) {
  const { admin } = useScreenTexts();
  const isAdmin = usePeople(({ profiles }) => profiles.get(user.id)?.role === 'admin');
  if (!isAdmin) return null;
  return (
    <button
      type="button"
      className={menuStyles.item}
      onClick={() => {
        onClose();
        navigate('/admin');
      }}
    >
      <ShieldIcon size={18} />
      {admin.title}
    </button>
  );
}

/** The round-trip time to the server, while there is a connection. */
function Latency() {
  const { menu } = useScreenTexts();
  const latencyMs = useRoom((store) => store.state?.latencyMs ?? null);
  if (latencyMs === null) return null;
  return <p className={styles.latency}>{menu.latency(Math.round(latencyMs))}</p>;
}

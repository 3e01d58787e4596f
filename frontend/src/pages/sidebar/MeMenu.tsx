import { type FocusEvent, useRef } from 'react';
import type { User } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useDisplayName, useIsOnline, useStatusLine } from '../../stores/people.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ChevronsIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import menuStyles from '../../ui/Menu.module.css';
import styles from './MeMenu.module.css';

const MeMenuContent = lazyPart(async () => (await import('./MeMenuContent.tsx')).MeMenuContent);

/**
 * The account, theme, language and sign-out. A native popover: the browser handles Escape, focus and clicks elsewhere.
 */
export function MeMenu({ user }: { readonly user: User }) {
  const text = useText();
  const name = useDisplayName(user.id);
  const isOnline = useIsOnline(user.id) === true;
  const status = useStatusLine(user.id);
  const menu = useRef<HTMLDivElement>(null);

  /** Tab has left the menu. */
  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) menu.current?.hidePopover();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the focus goes.
    <div className={styles.bar} onBlur={onBlur}>
      <button type="button" className={styles.me} popoverTarget="me-menu" data-testid="me">
        <Avatar userId={user.id} username={user.username} online={isOnline} />
        <span className="visually-hidden">{text.me.menu}</span>
        <span className={styles.words}>
          <span className={styles.name}>{name ?? user.username}</span>
          {status !== null && <span className={styles.status}>{status}</span>}
        </span>
        <ChevronsIcon size={18} />
      </button>
      <div
        ref={menu}
        id="me-menu"
        popover="auto"
        className={`${menuStyles.menu} ${styles.menu}`}
        role="dialog"
        aria-label={text.me.menu}
      >
        <MeMenuContent user={user} onClose={() => menu.current?.hidePopover()} />
      </div>
    </div>
  );
}

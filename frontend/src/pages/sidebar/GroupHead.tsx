import { useText } from '../../i18n/catalogue.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { useFoldedGroups } from '../../stores/folded-groups.ts';
import { navigate } from '../../stores/route.ts';
import { IconButton } from '../../ui/Button.tsx';
import { ChevronIcon, PlusIcon } from '../../ui/icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import styles from './RoomList.module.css';
import type { GroupKind } from './room-groups.ts';

/** The name of a group, which folds it. */
export function GroupHead({ kind, isFolded }: { readonly kind: GroupKind; readonly isFolded: boolean }) {
  const text = useText();
  return (
    <h2 className={styles.head}>
      <button type="button" aria-expanded={!isFolded} onClick={() => useFoldedGroups.getState().toggle(kind)}>
        {text.sidebar.groups[kind]}
        <ChevronIcon size={14} />
      </button>
      {kind === 'unread' && (
        <button type="button" className={styles.more} onClick={() => void markAllRead()}>
          {text.sidebar.readAll}
        </button>
      )}
      {kind === 'rooms' && (
        <a
          href="/browse"
          className={styles.more}
          aria-label={text.sidebar.browse}
          onClick={inThisTab(() => navigate('/browse'))}
        >
          {text.sidebar.browseShort}
        </a>
      )}
      {kind === 'direct' && (
        <IconButton
          label={text.sidebar.newMessage}
          className={styles.add}
          onClick={() => useDialogs.getState().show({ kind: 'new_dm' })}
        >
          <PlusIcon size={16} />
        </IconButton>
      )}
    </h2>
  );
}

/** The rest of the unread rooms: there are more of them than one looks at. */
export function MoreButton({ more }: { readonly more: number }) {
  const text = useText();
  return (
    <button
      type="button"
      className={styles.rest}
      onClick={() => useFoldedGroups.getState().showRest(more > 0)}
    >
      {more > 0 ? text.sidebar.more(more) : text.sidebar.fewer}
    </button>
  );
}

/** The code that offers to undo it comes when it is first needed. */
async function markAllRead(): Promise<void> {
  const { readAll } = await import('../../parts/rooms/read-all.ts');
  readAll();
}

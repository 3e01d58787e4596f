import { useScreenTexts } from '../../i18n/screens.ts';
import { navigate } from '../../stores/route.ts';
import { PlusIcon } from '../../ui/icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import styles from './AddOwnEmoji.module.css';

const PATH = '/settings/emoji';

/** Leads to where emoji of the server are added. */
export function AddOwnEmoji({ onClose }: { readonly onClose: () => void }) {
  const { emoji: texts } = useScreenTexts();
  const open = inThisTab(() => {
    onClose();
    navigate(PATH);
  });
  return (
    <a href={PATH} className={styles.own} aria-label={texts.addOwn} title={texts.addOwn} onClick={open}>
      <PlusIcon size={16} />
    </a>
  );
}

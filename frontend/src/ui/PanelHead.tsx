import type { ReactNode } from 'react';
import { useScreenTexts } from '../i18n/screens.ts';
import { ONE_PANE, useMedia } from '../stores/use-media.ts';
import { IconButton } from './Button.tsx';
import { BackIcon, CloseIcon } from './icons.tsx';
import styles from './Panel.module.css';

interface PanelHeadProps {
  readonly title: string;
  /** A line beneath the title. */
  readonly note?: ReactNode;
  /** Buttons with icons, at the right. */
  readonly actions?: ReactNode;
  /** Goes up within the panel. Default: in place of the room, one goes back to that. */
  readonly onBack?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** The head of a panel. In place of the room it is a page's: its title is the heading, and one goes back from it. */
export function PanelHead({ title, note, actions, onBack, onClose }: PanelHeadProps) {
  const texts = useScreenTexts();
  const isPage = useMedia(ONE_PANE);
  const Title = isPage ? 'h1' : 'h2';
  const goBack = onBack ?? (isPage ? onClose : undefined);
  return (
    <div className={styles.head} data-back={goBack !== undefined}>
      {goBack !== undefined && (
        <IconButton label={texts.back} onClick={goBack}>
          <BackIcon />
        </IconButton>
      )}
      <div className={styles.words}>
        <Title className={styles.title} title={title}>
          {title}
        </Title>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      <div className={styles.tools}>
        {actions}
        {!isPage && (
          <IconButton label={texts.close} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
    </div>
  );
}

import { type ReactNode, useEffect, useRef } from 'react';
import { useScreenTexts } from '../i18n/screens.ts';
import { isFirstPage, leavePage, useRoute, wasReached } from '../stores/route.ts';
import { isTouch } from '../stores/use-media.ts';
import { Button, IconButton } from './Button.tsx';
import { Empty } from './Empty.tsx';
import { BackIcon } from './icons.tsx';
import styles from './Page.module.css';
import { PageConnection } from './PageConnection.tsx';
import scroller from './Scroller.module.css';
import type { Loaded } from './use-loaded.ts';

interface PageProps {
  readonly title: string;
  readonly hint?: string;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** Its content is wider than a column of text: it has a list beside it. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A page of its own beside the list of rooms; on a narrow screen in its place. */
export function Page({ title, hint, actions, isWide = false, children }: PageProps) {
  const texts = useScreenTexts();
  // The bar of a phone leads to it, and away from it.
  const isFirst = useRoute(({ route }) => isFirstPage(route));
  const paper = useRef<HTMLElement>(null);

  // What led here has gone with the page before, and the focus with it.
  useEffect(() => {
    const isFree = document.activeElement === document.body && wasReached();
    if (isFree && !isTouch()) paper.current?.focus({ preventScroll: true });
  }, []);

  return (
    <div className={styles.page} data-first={isFirst}>
      <header className={styles.head} data-region="header">
        {!isFirst && (
          <IconButton label={texts.back} className={styles.back} onClick={leavePage}>
            <BackIcon />
          </IconButton>
        )}
        <h1>{title}</h1>
        <PageConnection />
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard. */}
      <section ref={paper} className={`${scroller.scroller} ${styles.paper}`} tabIndex={0} aria-label={title}>
        <div className={styles.content} data-wide={isWide}>
          {hint !== undefined && <p className={styles.hint}>{hint}</p>}
          {children}
        </div>
      </section>
    </div>
  );
}

interface WhenLoadedProps<T> {
  readonly loaded: Loaded<T>;
  readonly onRetry: () => void;
  readonly children: (value: T) => ReactNode;
}

/** What was loaded, or that it could not be. A short wait shows nothing. */
export function WhenLoaded<T>({ loaded, onRetry, children }: WhenLoadedProps<T>) {
  const texts = useScreenTexts();
  switch (loaded.status) {
    case 'loading':
      return (
        <p className={styles.loading} role="status">
          {texts.loading}
        </p>
      );
    case 'failed': {
      const again = <Button onClick={onRetry}>{texts.again}</Button>;
      if (navigator.onLine) return <Empty title={texts.failed}>{again}</Empty>;
      return (
        <Empty drawing="candle" title={texts.offline} hint={texts.offlineHint}>
          {again}
        </Empty>
      );
    }
    case 'ready':
      return children(loaded.value);
  }
}

import { useEffect, useRef, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import page from '../../ui/Page.module.css';
import { Page } from '../../ui/Page.tsx';
import styles from './Inbox.module.css';
import { InboxRow } from './InboxRow.tsx';
import { readMore, refreshInbox, syncInbox, useInbox } from './inbox.ts';

/** The messages that notified the user, the latest first. */
export function InboxPage() {
  const { inbox } = useScreenTexts();
  useEffect(syncInbox, []);
  return (
    <Page title={inbox.title}>
      <Content />
    </Page>
  );
}

function Content() {
  const texts = useScreenTexts();
  const { entries, hasMore, hasFailed } = useInbox();
  const list = useRef<HTMLUListElement>(null);
  const [isLoading, setLoading] = useState(false);
  useListKeys(list);

  if (entries === null) {
    if (!hasFailed) {
      return (
        <p className={page.loading} role="status">
          {texts.loading}
        </p>
      );
    }
    return (
      <Empty title={texts.failed}>
        <Button onClick={refreshInbox}>{texts.again}</Button>
      </Empty>
    );
  }
  return (
    <>
      {hasFailed && (
        <p className={styles.stale} role="status">
          {texts.inbox.stale}
          <Button look="quiet" onClick={refreshInbox}>
            {texts.again}
          </Button>
        </p>
      )}
      {entries.length === 0 ? (
        <Empty drawing="caught_up" title={texts.inbox.none} hint={texts.inbox.noneHint} />
      ) : (
        <ul ref={list} className={styles.list} aria-label={texts.inbox.list}>
          {entries.map((entry) => (
            <InboxRow key={entry.message.id} entry={entry} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button
          aria-disabled={isLoading}
          onClick={() => {
            if (isLoading) return;
            setLoading(true);
            void readMore().finally(() => setLoading(false));
          }}
        >
          {texts.inbox.more}
        </Button>
      )}
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
/** What takes such keys itself. */
const FIELDS = 'input, textarea, select, dialog, [popover]';

/**
 * `j`, `k` and the arrow keys move through the entries, from wherever the focus is but in a field or a dialog. In the
 * sidebar the arrow keys move through its rooms.
 */
function useListKeys(list: { readonly current: HTMLUListElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const { activeElement } = document;
      const isIn = list.current?.contains(activeElement) === true;
      const takesKey = event.key.startsWith('Arrow') ? `${FIELDS}, nav` : FIELDS;
      const isElsewhere = activeElement?.closest(takesKey) != null;
      if (isElsewhere || event.isComposing) return;
      const links = [...(list.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])];
      const at = isIn ? links.indexOf(activeElement as HTMLElement) : -1;
      const to = links[Math.max(0, at + step)];
      if (to === undefined) return;
      event.preventDefault();
      to.focus();
      to.scrollIntoView({ block: 'nearest' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [list]);
}

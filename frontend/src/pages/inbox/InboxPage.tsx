import { useEffect, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { ActivityDays, ActivityEnd } from '../../parts/activity/ActivityDays.tsx';
import { ActivityList } from '../../parts/activity/ActivityList.tsx';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useThreadMarks } from '../../stores/thread-marks.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import page from '../../ui/Page.module.css';
import { Page } from '../../ui/Page.tsx';
import { markDone } from './done.ts';
import styles from './Inbox.module.css';
import { InboxRow } from './InboxRow.tsx';
import { type InboxEntry, isEntryRead, readMore, refreshInbox, syncInbox, useInbox } from './inbox.ts';

/** The messages that notified the user, the latest first. */
export function InboxPage() {
  const { inbox } = useScreenTexts();
  useEffect(syncInbox, []);
  return (
    <Page title={inbox.title} actions={<MarkAllRead />}>
      <Content />
    </Page>
  );
}

/** For all entries that are loaded. */
function MarkAllRead() {
  const { inbox } = useScreenTexts();
  const entries = useInbox((store) => store.entries);
  useOwnRooms((store) => store.rooms);
  useThreadMarks();
  if (entries === null || entries.every(isEntryRead)) return null;
  return (
    <Button look="quiet" onClick={() => markDone(entries)}>
      <CheckIcon size={18} />
      {inbox.readAll}
    </Button>
  );
}

function Content() {
  const texts = useScreenTexts();
  const { entries, hasMore, hasFailed } = useInbox();
  const [filter, setFilter] = useState<Filter>('all');
  const [isLoading, setLoading] = useState(false);

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
        <>
          <Filters chosen={filter} onChoose={setFilter} />
          <ActivityList>
            <ActivityDays
              entries={entries.filter(({ reason }) => fits(filter, reason))}
              atOf={({ message }) => Date.parse(message.created_at)}
              label={texts.inbox.list}
              isNew={(entry) => !isEntryRead(entry)}
            >
              {(entry) => <InboxRow key={entry.message.id} entry={entry} />}
            </ActivityDays>
          </ActivityList>
          {!hasMore && <ActivityEnd>{texts.inbox.end}</ActivityEnd>}
        </>
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

const FILTERS = {
  all: null,
  mentions: ['mention', 'room'],
  replies: ['reply', 'thread'],
  invites: ['invite'],
} as const satisfies Record<string, readonly InboxEntry['reason'][] | null>;
type Filter = keyof typeof FILTERS;

function fits(filter: Filter, reason: InboxEntry['reason']): boolean {
  const reasons: readonly InboxEntry['reason'][] | null = FILTERS[filter];
  return reasons === null || reasons.includes(reason);
}

interface FiltersProps {
  readonly chosen: Filter;
  readonly onChoose: (filter: Filter) => void;
}

/** Which entries are shown. */
function Filters({ chosen, onChoose }: FiltersProps) {
  const { inbox } = useScreenTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div role="group" className={styles.filters} aria-label={inbox.filter}>
      {(Object.keys(FILTERS) as Filter[]).map((filter) => (
        <button key={filter} type="button" aria-pressed={filter === chosen} onClick={() => onChoose(filter)}>
          {inbox.filters[filter]}
        </button>
      ))}
    </div>
  );
}

import { useMemo, useState } from 'react';
import type { PendingMessage, Room, RoomState, User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { dayName } from '../i18n/time.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { BubbleIcon, DownIcon } from '../ui/icons.tsx';
import { MessageItem, PendingItem } from './MessageItem.tsx';
import { NoticeLine } from './NoticeLine.tsx';
import styles from './Timeline.module.css';
import { TimelineSkeleton } from './TimelineSkeleton.tsx';
import { GROUP_MS, type TimelineDay, timelineDays } from './timeline-items.ts';
import { useTimelineScroll } from './use-timeline-scroll.ts';

interface TimelineProps {
  readonly state: RoomState;
  readonly room: Room;
  readonly name: string;
  readonly user: User;
  /** Takes a text back to the composer. */
  readonly onEdit: (content: string) => void;
}

/** All that was said here, as far back as it has been loaded. */
export function Timeline({ state, room, name, user, onEdit }: TimelineProps) {
  const text = useText();
  const { acked, notices, pending, loaded, hasOlder } = state;
  const messages = useMemo(() => [...state.messages, ...acked], [state.messages, acked]);
  const days = useMemo(() => timelineDays(messages, notices), [messages, notices]);
  const newest = pending.at(-1);
  const lastWaiting = pending.findLast((entry) => entry.status !== 'failed');
  const { box, content, seenSeq, atEnd, onScroll, toEnd } = useTimelineScroll({
    oldestSeq: messages[0]?.seq ?? 0,
    newestSeq: messages.at(-1)?.seq ?? 0,
    sent: newest?.createdAt ?? 0,
  });
  const unseen = messages.filter((message) => message.seq > seenSeq && message.user_id !== user.id).length;

  function edit({ cid, content: written }: PendingMessage): void {
    onEdit(written);
    room.discard(cid);
  }

  const empty = loaded && messages.length === 0 && pending.length === 0;

  return (
    <div className={styles.frame}>
      <div
        ref={box}
        className={styles.scroller}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls with the keyboard.
        tabIndex={0}
        role="log"
        aria-label={text.room.timeline(name)}
        aria-busy={!loaded}
      >
        <div ref={content} className={styles.content}>
          {!loaded && <TimelineSkeleton />}
          {empty && (
            <Empty icon={<BubbleIcon size={28} />} title={text.room.empty} hint={text.room.emptyHint(name)} />
          )}
          {hasOlder && <LoadOlder room={room} />}
          {loaded && !hasOlder && messages.length > 0 && (
            <p className={styles.beginning}>{text.room.beginning(name)}</p>
          )}
          {days.map((day) => (
            <Day key={day.day} day={day} />
          ))}
          {pending.length > 0 && (
            <ol>
              {pending.map((entry, index) => (
                <PendingItem
                  key={entry.cid}
                  entry={entry}
                  user={user}
                  first={index === 0 && !endsWithOwnGroup(days, user.id, entry.createdAt)}
                  promise={entry === lastWaiting && state.connection.status !== 'open'}
                  onRetry={() => room.retry(entry.cid)}
                  onEdit={() => edit(entry)}
                  onDiscard={() => room.discard(entry.cid)}
                />
              ))}
            </ol>
          )}
        </div>
      </div>
      {!atEnd && (
        <button
          type="button"
          className={styles.pill}
          data-new={unseen > 0}
          onClick={toEnd}
          aria-label={text.room.toEnd(unseen)}
          data-testid="to-end"
        >
          <DownIcon size={16} />
          {unseen > 0 && text.room.newMessages(unseen)}
        </button>
      )}
    </div>
  );
}

function Day({ day }: { readonly day: TimelineDay }) {
  const text = useText();
  return (
    <section className={styles.day}>
      <h2 className={styles.separator}>
        <span>{dayName(text, day.day, Date.now())}</span>
      </h2>
      <ol>
        {day.rows.map((row) =>
          row.kind === 'message' ? (
            <MessageItem key={row.key} row={row} />
          ) : (
            <NoticeLine key={row.key} joined={row.joined} left={row.left} />
          ),
        )}
      </ol>
    </section>
  );
}

function LoadOlder({ room }: { readonly room: Room }) {
  const text = useText();
  const [status, setStatus] = useState<'idle' | 'loading' | 'failed'>('idle');

  async function load(): Promise<void> {
    setStatus('loading');
    try {
      await room.loadOlder();
      setStatus('idle');
    } catch {
      setStatus('failed');
    }
  }

  return (
    <div className={styles.older}>
      {status === 'failed' && <p role="alert">{text.room.olderFailed}</p>}
      <Button onClick={() => void load()} aria-disabled={status === 'loading'}>
        {text.room.older}
      </Button>
    </div>
  );
}

/** Whether a message sent now by this user goes on a group that they began. */
function endsWithOwnGroup(days: readonly TimelineDay[], userId: number, at: number): boolean {
  const last = days.at(-1)?.rows.at(-1);
  return last?.kind === 'message' && last.message.user_id === userId && at - last.at < GROUP_MS;
}

import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { ModerationApi, ReportsPage } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { dayAndTime } from '../../i18n/day-and-time.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { isWithoutEnd, LogList } from '../../parts/moderation/LogList.tsx';
import admin from '../../parts/moderation/Moderation.module.css';
import { ReportList } from '../../parts/moderation/ReportList.tsx';
import { moderationRequests } from '../../stores/admin-requests.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { ONE_PANE, useMedia } from '../../stores/use-media.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import list from '../../ui/List.module.css';
import { WhenLoaded } from '../../ui/Page.tsx';
import { useLoaded, useRequest } from '../../ui/use-loaded.ts';
import styles from './RoomPanel.module.css';

type RestrictedPerson = Awaited<ReturnType<ModerationApi['restricted']>>[number];

interface ModerationTabProps {
  readonly roomId: number;
  /** Told the open reports whenever they are loaded. */
  readonly onOpen: (page: ReportsPage) => void;
}

/** For those who moderate the room: what is reported, who is muted or banned, and what was done. */
export function ModerationTab({ roomId, onOpen }: ModerationTabProps) {
  const { admin: texts, moderate } = useScreenTexts();
  const load = useCallback(async () => {
    const requests = moderationRequests();
    const [reports, people, log] = await Promise.all([
      requests.reports(roomId),
      requests.restricted(roomId),
      requests.roomAudit(roomId),
    ]);
    onOpen(reports);
    return { reports, people, log };
  }, [roomId, onOpen]);
  const { loaded, reload, set } = useLoaded(load);
  const { busy, run } = useRequest();
  useAfterDialog('moderate', reload);

  return (
    <WhenLoaded loaded={loaded} onRetry={reload}>
      {({ reports, people, log }) => (
        <>
          <Section title={moderate.openReports} none={texts.noReports} count={reports.reports.length}>
            <ReportList label={moderate.openReports} reports={reports.reports} isOfRoom onClosed={reload} />
          </Section>
          <Section title={moderate.restricted} none={moderate.nobodyRestricted} count={people.length}>
            <ul className={list.list} aria-label={moderate.restricted}>
              {people.map((person) => (
                <RestrictedRows key={person.user_id} roomId={roomId} person={person} onLifted={reload} />
              ))}
            </ul>
          </Section>
          <Section title={moderate.log} none={texts.noLog} count={log.entries.length}>
            <LogList entries={log.entries} label={moderate.log} isOfRoom />
            {log.has_more && (
              <Button
                aria-disabled={busy}
                onClick={() =>
                  void run(async () => {
                    const beforeId = log.entries.at(-1)?.id ?? 1;
                    const next = await moderationRequests().roomAudit(roomId, { beforeId });
                    set({ reports, people, log: { ...next, entries: [...log.entries, ...next.entries] } });
                  })
                }
              >
                {texts.more}
              </Button>
            )}
          </Section>
        </>
      )}
    </WhenLoaded>
  );
}

/** Calls `then` whenever a dialog of this kind closes. */
function useAfterDialog(kind: string, then: () => void): void {
  const isOpen = useDialogs(({ open }) => open.kind === kind);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) then();
    wasOpen.current = isOpen;
  }, [isOpen, then]);
}

interface SectionProps {
  readonly title: string;
  /** Said when there is nothing in it. */
  readonly none: string;
  readonly count: number;
  readonly children: ReactNode;
}

/** A part of the tab. Its heading takes the focus of a row that has gone from it. */
function Section({ title, none, count, children }: SectionProps) {
  const Title = useMedia(ONE_PANE) ? 'h2' : 'h3';
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (count < before.current && isLost) heading.current?.focus();
    before.current = count;
  }, [count]);
  return (
    <section className={admin.section} aria-label={title}>
      <Title ref={heading} tabIndex={-1}>
        {title}
      </Title>
      {count === 0 ? <p className={styles.hint}>{none}</p> : children}
    </section>
  );
}

interface RestrictedRowsProps {
  readonly roomId: number;
  readonly person: RestrictedPerson;
  readonly onLifted: () => void;
}

/** Somebody who is both muted and banned has two rows. */
function RestrictedRows({ roomId, person, onLifted }: RestrictedRowsProps) {
  const { user_id: id, username, muted_until: mutedUntil, banned_until: bannedUntil } = person;
  const { moderate } = useScreenTexts();
  const text = useText();
  const { busy, run } = useRequest();
  const rows = [
    {
      until: mutedUntil,
      forever: moderate.mutedForever,
      timed: moderate.mutedUntil,
      label: moderate.liftMute(username),
      lift: 'unmute',
    },
    {
      until: bannedUntil,
      forever: moderate.bannedForever,
      timed: moderate.bannedUntil,
      label: moderate.liftBan(username),
      lift: 'unban',
    },
  ] as const;
  return rows.map(
    ({ until, forever, timed, label, lift }) =>
      until !== null && (
        <li key={lift} className={list.row} data-small="true" data-testid="restricted">
          <Avatar userId={id} username={username} size="small" />
          <span className={list.text}>
            <span className={list.name}>{username}</span>
            <span className={admin.facts}>
              {isWithoutEnd(until) ? forever : timed(dayAndTime(text, Date.parse(until)))}
            </span>
          </span>
          <Button
            aria-label={label}
            aria-disabled={busy}
            onClick={() =>
              void run(async () => {
                await moderationRequests()[lift](roomId, id);
                onLifted();
              })
            }
          >
            {moderate.lift}
          </Button>
        </li>
      ),
  );
}

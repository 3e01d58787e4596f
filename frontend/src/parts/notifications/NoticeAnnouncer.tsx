import { useScreenTexts } from '../../i18n/screens.ts';
import { useNotices } from './notices.ts';

/** Reads out to screen readers what notifies the user outside the room on the screen. */
export function NoticeAnnouncer() {
  const { timeline } = useScreenTexts();
  const { last } = useNotices();
  return (
    // In the document from the start: a live region that comes with its text is not announced.
    <div className="visually-hidden" aria-live="polite" data-testid="notice-announcer">
      {last !== null && <p key={last.id}>{timeline.announce(last.title, last.body)}</p>}
    </div>
  );
}

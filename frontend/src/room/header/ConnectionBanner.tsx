import type { ConnectionState, RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import type { Catalogue } from '../../i18n/en.ts';
import { type ScreenTexts, useScreenTexts } from '../../i18n/screens.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { AlertIcon } from '../../ui/late-icons.tsx';
import styles from './ConnectionBanner.module.css';
import { connectionLabel } from './connection-label.ts';
import { useBanner } from './use-banner.ts';
import { useNow } from './use-now.ts';

interface ConnectionBannerProps {
  readonly state: RoomState;
  readonly onRetry: () => void;
}

/** Says that the connection has been down for a while, and what the user can do. It lies over the timeline. */
export function ConnectionBanner({ state, onRetry }: ConnectionBannerProps) {
  const text = useText();
  const { banner: words } = useScreenTexts();
  const banner = useBanner(state);
  const now = useNow(banner.kind === 'down');
  const waiting = state.connection.status === 'waiting';
  const isRefused = isOriginRefused(state.connection);
  return (
    <div className={styles.place}>
      {banner.kind === 'down' && (
        <div className={styles.banner} data-banner="down" data-testid="connection-banner">
          <AlertIcon size={18} />
          <span>
            {isRefused ? words.originRefused(window.location.origin) : downLabel(text, words, state, now)}
          </span>
          {waiting && !isRefused && (
            <>
              <span aria-hidden="true">·</span>
              <button type="button" onClick={onRetry}>
                {words.retryNow}
              </button>
            </>
          )}
        </div>
      )}
      {banner.kind === 'recovered' && (
        <div className={styles.banner} data-banner="recovered" data-testid="connection-banner">
          <CheckIcon size={18} />
          <span>{words.upToDate(banner.missed)}</span>
        </div>
      )}
      {/* The countdown is visual. A screen reader hears each change once. */}
      <p className="visually-hidden" role="status">
        {banner.kind === 'down' && isRefused && words.originRefused(window.location.origin)}
        {banner.kind === 'down' &&
          !isRefused &&
          connectionLabel(text, state.connection, state.connections > 0)}
        {banner.kind === 'recovered' && words.upToDate(banner.missed)}
      </p>
    </div>
  );
}

/** The server answers, but refuses connections from the origin of this page. Trying again now would not help. */
function isOriginRefused(connection: ConnectionState): boolean {
  const isDown = connection.status === 'waiting' || connection.status === 'connecting';
  return isDown && connection.reason === 'origin';
}

function downLabel(text: Catalogue, words: ScreenTexts['banner'], state: RoomState, now: number): string {
  const { connection, pending } = state;
  const status =
    navigator.onLine && connection.status === 'waiting'
      ? words.retryIn(Math.max(1, Math.ceil((connection.retryAt - now) / 1000)))
      : connectionLabel(
          text,
          connection.status === 'open' ? { status: 'connecting' } : connection,
          state.connections > 0,
        );
  const waiting = pending.filter((entry) => entry.status !== 'failed').length;
  return waiting === 0 ? status : words.waiting(status, waiting);
}

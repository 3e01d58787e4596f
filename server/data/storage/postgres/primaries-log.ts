/** Says, at the first moment and then once a minute, that a failover has left a primary behind which takes writes. */
import type { Logger } from '../../../platform/log.ts';
import type { SeveralPrimaries } from './primaries.ts';

const EVERY_MS = 60_000;

/** Returns a function to call after each look at the hosts. */
export function primariesLog(
  log: Pick<Logger, 'error' | 'info'>,
): (several: SeveralPrimaries | undefined) => void {
  let said = '';
  let saidAt = 0;
  return (several) => {
    const now = performance.now();
    const text = several ? JSON.stringify(several) : '';
    if (text === said && (several === undefined || now - saidAt < EVERY_MS)) return;
    [said, saidAt] = [text, now];
    if (several)
      log.error(
        several,
        'more than one host of DATABASE_URL takes writes: stop those in `others`, and make standbys of them',
      );
    else log.info('one host of DATABASE_URL takes writes again');
  };
}

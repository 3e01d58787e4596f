/**
 * Says that processes of one database have different secrets: when it begins, when others join or leave, and when it
 * ends.
 */
import type { Logger } from '../../../platform/log.ts';
import { measures } from '../../../platform/metrics/measures.ts';
import type { LiveProcess } from './processes.ts';

/** Returns a function to call with all processes that are alive. `ownId`: the name of this one's secret. */
export function secretsLog(
  log: Pick<Logger, 'error' | 'info'>,
  ownId: string,
): (processes: readonly LiveProcess[]) => void {
  let said = '';
  return (processes) => {
    const others = processes.filter(({ secretId }) => secretId !== ownId).map(({ process }) => process);
    measures.otherSecrets = others.length;
    const text = others.join(', ');
    if (text === said) return;
    said = text;
    if (others.length > 0)
      log.error(
        { others },
        'the processes in `others` use this database with another JWT_SECRET, so each refuses the access tokens ' +
          'of the other: give all processes the same JWT_SECRET, and restart those that had another',
      );
    else log.info('all processes of this database have the same JWT_SECRET again');
  };
}

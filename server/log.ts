/** Logs: one JSON object a line, on standard error, so that standard output stays for people. */
import { type Logger, pino } from 'pino';
import { LogOutput, openStandardError } from './log-output.ts';

export type { Logger };

/** The process's log. A call never throws and never blocks, whatever becomes of standard error. */
export function createLogger(level: string): Logger {
  const output = new LogOutput(openStandardError());
  process.once('exit', () => output.end());
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Callers choose what is logged field by field. This catches a secret that slips through.
      redact: {
        paths: [
          '*.password',
          '*.refresh_token',
          '*.access_token',
          '*.ticket',
          '*.authorization',
          'req.headers',
        ],
        censor: '[redacted]',
      },
    },
    output,
  );
}

/** The least time between two lines about events that can come by the thousand. */
const THROTTLE_MS = 60_000;

/**
 * For events that an outside cause repeats without limit. Returns a function to call at each event: `write` is called
 * at the first one, then at most once a minute, with the latest event and the number of events since its last call.
 */
export function throttled<Event>(write: (latest: Event, count: number) => void): (event: Event) => void {
  let waiting: { latest: Event; count: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    timer = undefined;
    if (waiting === undefined) return;
    write(waiting.latest, waiting.count);
    waiting = undefined;
    timer = setTimeout(flush, THROTTLE_MS).unref();
  }
  return (event) => {
    waiting = { latest: event, count: (waiting?.count ?? 0) + 1 };
    if (timer === undefined) flush();
  };
}

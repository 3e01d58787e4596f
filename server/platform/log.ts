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

/** The least time between two lines about events that can come by the thousand, and have the same cause. */
const THROTTLE_MS = 60_000;
/** Causes that have a line of their own within that time. */
const CAUSES_MAX = 10;
/** The characters by which two causes are told apart. */
const CAUSE_LENGTH = 300;

/**
 * For events that an outside cause repeats without limit. Returns a function to call at each event. `write` is called
 * at once for the first one and for the first one of another cause, of 10 causes a minute, and else at most once a
 * minute; each time with the latest event and the number of events since its last call. `causeOf`: tells causes apart.
 */
export function throttled<Event>(
  write: (latest: Event, count: number) => void,
  causeOf: (event: Event) => string = causeIn,
): (event: Event) => void {
  let waiting: { latest: Event; count: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Since the minute began. */
  const said = new Set<string>();
  function say(): void {
    if (waiting === undefined) return;
    const { latest, count } = waiting;
    waiting = undefined;
    said.add(causeOf(latest));
    if (timer === undefined) timer = setTimeout(endMinute, THROTTLE_MS).unref();
    write(latest, count);
  }
  function endMinute(): void {
    timer = undefined;
    said.clear();
    say();
  }
  return (event) => {
    waiting = { latest: event, count: (waiting?.count ?? 0) + 1 };
    if (said.size < CAUSES_MAX && !said.has(causeOf(event))) say();
  };
}

/** Tells causes apart: two events that differ in numbers alone, such as ports, have the same one. */
function causeIn(event: unknown): string {
  return partsOf(event).join(' ').replace(/\d+/g, '0').slice(0, CAUSE_LENGTH);
}

function partsOf(event: unknown): string[] {
  if (event instanceof Error) {
    const code = 'code' in event ? String(event.code) : '';
    return [event.name, code, event.message, ...(event.cause === undefined ? [] : partsOf(event.cause))];
  }
  if (typeof event !== 'object' || event === null) return [String(event)];
  return Object.values(event).map((value) =>
    value instanceof Error ? partsOf(value).join(' ') : String(value),
  );
}

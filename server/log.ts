/** Logs: one JSON object a line, on standard error, so that standard output stays for people. */
import { destination, type Logger, pino } from 'pino';

export type { Logger };

export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // What reaches the log is chosen field by field; this is the second lock on the same door.
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
    destination({ dest: 2, sync: true }),
  );
}

/** Keeps connections below the system's limit of open files, so that the rest of the process can still open some. */
import type { Server } from 'node:net';
import { type Logger, throttled } from '../log.ts';
import { openFiles, openFilesLimit } from './open-files.ts';

/** Files reserved for everything but connections: client files, the database, name lookups. */
const RESERVED_FILES = 64;

/** Call it once the server listens. A connection beyond the limit is closed at once, and the refusals are logged. */
export function limitConnections(server: Server, log: Logger): void {
  const limit = openFilesLimit();
  const open = openFiles();
  if (limit !== undefined && open !== undefined)
    server.maxConnections = Math.max(1, limit - open - RESERVED_FILES);
  const logRefused = throttled((_, count) =>
    log.error(
      { count, maxConnections: server.maxConnections, openFilesLimit: limit },
      'connections refused: the limit of open files is reached; raise it (ulimit -n, LimitNOFILE in systemd)',
    ),
  );
  server.on('drop', logRefused);
  // Without a listener, an error of accept() (no descriptor, no memory) would end the process.
  const logFailed = throttled((error: Error, count) =>
    log.error({ err: error, count }, 'connections could not be accepted'),
  );
  server.on('error', logFailed);
}

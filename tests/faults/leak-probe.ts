/**
 * Preloaded into a server process (`node --import`): on SIGUSR2 it writes what the process holds to the file that
 * `LEAK_REPORT` names. The server itself knows nothing of it.
 */
import { ReadStream, renameSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** Counts of what is alive after a garbage collection. */
export interface Holdings {
  heapMiB: number;
  sockets: number;
  requests: number;
  responses: number;
  fileStreams: number;
  websockets: number;
  /** What keeps the event loop busy: timers, handles, calls of the system. */
  activeResources: number;
}

const file = process.env.LEAK_REPORT;

if (isMainThread && file !== undefined) {
  process.on('SIGUSR2', () => {
    const holdings: Holdings = {
      // The first of these collects garbage.
      sockets: queryObjects(Socket, { format: 'count' }),
      requests: queryObjects(IncomingMessage, { format: 'count' }),
      responses: queryObjects(ServerResponse, { format: 'count' }),
      fileStreams: queryObjects(ReadStream, { format: 'count' }),
      websockets: queryObjects(WebSocket, { format: 'count' }),
      activeResources: process.getActiveResourcesInfo().length,
      heapMiB: process.memoryUsage().heapUsed / 1024 / 1024,
    };
    // A reader finds the whole report or none.
    writeFileSync(`${file}.new`, JSON.stringify(holdings));
    renameSync(`${file}.new`, file);
  });
}

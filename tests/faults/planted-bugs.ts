/** Bugs to plant in a copy of the server, and a run that must find them. */
import { type Patch, PatchedServer } from '../support/patched-server.ts';
import type { Report } from './checker.ts';
import { killAgainAndAgain } from './kill.ts';
import { removeAmidTraffic } from './removals.ts';

const WRITER = 'server/data/storage/sqlite/writer.js';
const RESUME = 'server/entrypoints/realtime/room/resume.js';

export const PLANTED = {
  /** The writer acks a batch of messages, and commits everything that has gathered a little later. */
  ackBeforeCommit: [
    {
      file: WRITER,
      find: "this.#sqlite.exec('BEGIN IMMEDIATE');",
      replace: "if (!this.#sqlite.inTransaction) this.#sqlite.exec('BEGIN IMMEDIATE');",
    },
    {
      file: WRITER,
      find: "this.#sqlite.exec('COMMIT');",
      replace: `const commit = () => {
          this.later = undefined;
          if (this.#sqlite.inTransaction) this.#sqlite.exec('COMMIT');
        };
        if (commands.every(({ name }) => name === 'append')) this.later ??= setTimeout(commit, 250); else commit();`,
    },
  ],
  resumeSkipsOne: [{ file: RESUME, find: 'let sent = since;', replace: 'let sent = since + 1;' }],
  resumeGoesLiveLate: [
    {
      file: RESUME,
      find: 'goLive();',
      replace: 'setTimeout(goLive, 20);',
    },
  ],
  cidIsForgotten: [
    {
      file: 'server/data/storage/sqlite/appender.js',
      find: 'const { roomId, userId, cid, content } = message;',
      replace: 'const { roomId, userId, content } = message; const cid = message.cid + Math.random();',
    },
  ],
  removalIsMissed: [
    {
      file: 'server/entrypoints/realtime/room/channel.js',
      find: "case 'removed':",
      replace: "case 'removed earlier':",
    },
  ],
} satisfies Record<string, Patch[]>;

/** Kills a server with these bugs in the middle of traffic, and returns what the checker found. */
export async function runWith(patches: readonly Patch[]): Promise<Report> {
  await using patched = await PatchedServer.make(patches);
  const { report } = await killAgainAndAgain(1, {
    ...{ people: 4, rooms: 2, window: 8, main: patched.main },
    ...{ kills: 2, acksPerLife: 200, lifeMs: { min: 0, max: 100 }, acks: 1 },
    // A broken run may never end by itself, so it must not wait long.
    patienceMs: 10_000,
  });
  if (!report) throw new Error('no report');
  return report;
}

/** Removes members from a server with these bugs, and returns what their sockets found. */
export async function removeWith(patches: readonly Patch[]): Promise<string[]> {
  await using patched = await PatchedServer.make(patches);
  const { report } = await removeAmidTraffic(1, {
    ...{ rooms: 1, people: 2, talkers: 3, removals: 6, main: patched.main },
    patienceMs: 5000,
  });
  return report?.violations ?? [];
}

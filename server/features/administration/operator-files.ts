/** Commands about files. Their bytes are moved by the command line itself, so that the server is not kept busy. */
import { z } from 'zod';
import { command } from './operator-command.ts';

const FILES_AT_ONCE = 200;
/** Another move may begin so long after this one was killed. */
const TURN_MS = 30_000;

const place = z.enum(['disk', 's3']);
const key = z.string().max(64);

export const FILE_COMMANDS = {
  /** A page of the files that are ready. `after`: of the next one; null: this was the last. `all`: of the server. */
  filesAt: command(z.object({ place, after: z.string().max(64) }), async ({ store }, { place, after }) => {
    const page = await store.filesByKey({ after, limit: FILES_AT_ONCE });
    const here = page.filter((file) => file.place === place);
    const { files: all } = await store.fileCounts();
    return {
      files: here.flatMap(({ key, state, size, sha256 }) =>
        state === 'ready' && sha256 !== null ? [{ key, size, sha256 }] : [],
      ),
      others: here.filter(({ state }) => state === 'uploading' || state === 'checking').length,
      seen: page.length,
      all,
      after: page.length < FILES_AT_ONCE ? null : (page.at(-1)?.key ?? null),
    };
  }),
  /** Its bytes are at both places. `moved: false`: it was deleted meanwhile. */
  moveFile: command(z.object({ key, from: place, to: place }), async ({ store }, move) => ({
    moved: await store.moveFile(move),
  })),
  /** One move at a time. `taken: false`: another one runs, or was killed within half a minute. */
  moveTurn: command(z.object({ act: z.enum(['take', 'keep', 'end']) }), async ({ store }, { act }) => {
    const task = 'move of files';
    const now = Date.now();
    if (act === 'take') return { taken: await store.takeTurn({ task, now, until: now + TURN_MS }) };
    await store.setTurn({ task, until: act === 'keep' ? now + TURN_MS : now });
    return { taken: true };
  }),
} as const;

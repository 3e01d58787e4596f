/** Turns of the processes at a task: `meta` has when it is due next, in Unix milliseconds. */
import type { TurnWrites } from '../store.ts';
import { sql } from './sql.ts';
import { type AsSteps, first } from './steps.ts';
import { writeMeta } from './upkeep.ts';

const keyOf = (task: string) => `due:${task}`;

export const turnWrites: AsSteps<TurnWrites> = {
  *takeTurn({ task, now, until }) {
    const taken = yield* first(sql`
      INSERT INTO meta (key, value) VALUES (${keyOf(task)}, ${String(until)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE CAST(meta.value AS BIGINT) <= ${now}
      RETURNING key`);
    return taken !== undefined;
  },

  *setTurn({ task, until }) {
    yield* writeMeta(keyOf(task), String(until));
  },
};

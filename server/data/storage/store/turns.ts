/** Work that one process of several does now and then. */

export type Task = 'retention' | 'files' | 'comparison of files' | 'move of files' | `backup to ${string}`;

export interface TurnWrites {
  /** True: the caller does the task, and nobody else takes it before `until`. False: it is not due at `now`. */
  takeTurn(turn: { task: Task; now: number; until: number }): boolean;
  /** When the task is due next; for the process that has the turn. */
  setTurn(turn: { task: Task; until: number }): void;
}

/** What parts tell of their state, for the metrics. */

/** Connections that are open, those that are at work, and work that waits for one. */
export interface PoolLoad {
  open: number;
  busy: number;
  waiting: number;
}

export interface PostgresFigures {
  pools: Readonly<Record<'writers' | 'commands' | 'readers', PoolLoad>>;
  /** Commits of all processes that wait for a synchronous standby. */
  commitsWaiting: number;
}

export interface RosterFigures {
  processes: number;
  own: number;
  others: number;
}

/**
 * What this process counts while it works. Plain numbers, so that counting costs nothing worth measuring; they become
 * metrics when somebody asks for them (registry.ts).
 */
import {
  BATCH_BOUNDS,
  COMMIT_BOUNDS,
  DELAY_BOUNDS,
  Histogram,
  REQUEST_BOUNDS,
  TURN_BOUNDS,
} from './histogram.ts';

/** Other methods count as one, so that a client cannot add series. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface RequestKind {
  method: string;
  /** Such as 2xx. */
  status: string;
}

/** Seconds on the way through Redis. */
const CROSSING_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

/**
 * The codes that alerts ask for are there from the start: a series that begins with its first refusal hides that one.
 */
function refusals(): Map<string, number> {
  return new Map([
    ['internal_error', 0],
    ['service_unavailable', 0],
  ]);
}

export const measures = {
  /** Messages that were stored and acknowledged. */
  acked: 0,
  /** Frames of rooms, times the sockets that each went to. */
  deliveries: 0,
  /** Seconds of the ends of turns at which rooms wrote to their sockets. */
  fanOut: new Histogram(TURN_BOUNDS),
  /** Batches that were committed to the database: seconds each, and writes in each. */
  commit: new Histogram(COMMIT_BOUNDS),
  batch: new Histogram(BATCH_BOUNDS),
  /** The longest commit since the last reading. */
  commitMaxMs: 0,
  /** Seconds by which a timer was late. */
  loopDelay: new Histogram(DELAY_BOUNDS),
  /** Seconds from a request to the end of its response. */
  requests: new Map<string, { kind: RequestKind; seconds: Histogram }>(),
  /** Reads of what was missing in a log that is delivered here. */
  gapReads: 0,
  /** Batches that were sent to PostgreSQL once more, and those of them whose outcome was not known. */
  commitRetries: 0,
  commitsUnknown: 0,
  /** Seconds until a write to PostgreSQL had its locks: other writes in the same room, for the most part. */
  locks: new Histogram(COMMIT_BOUNDS),
  /** Connections to PostgreSQL that broke, and those that could not be opened. */
  connectionsLost: 0,
  connectsFailed: 0,
  /** PostgreSQL's timeline: each failover begins a new one. */
  timeline: 0,
  /** Hosts of the database's address that were primaries at the last look. */
  primaries: 0,
  /** Processes of the database with another secret than this one, at the last look. */
  otherSecrets: 0,
  /** Times at which Redis went away, and announcements that were lost by that. */
  redisLosses: 0,
  publishesLost: 0,
  /** Seconds until what this process publishes comes back to it. */
  echo: new Histogram(CROSSING_BOUNDS),
  /** Seconds by which an event came later than one that follows it. */
  crossing: new Histogram(CROSSING_BOUNDS),
  /** Logs that were found to be ahead of what was announced. */
  pollFinds: 0,
  /** Decisions of limits that were made without Redis. */
  limiterFallbacks: 0,
  /** Seconds of searches, and those that ended because of their time. */
  searches: new Histogram(REQUEST_BOUNDS),
  searchesCut: 0,
  /** Links of messages that were opened, by what came of it. */
  linksFetched: { page: 0, picture: 0, nothing: 0, away: 0 },
  /** Bytes of uploads that are safe. */
  uploadBytes: 0,
  /** Files in which clamd has found something, and times at which it was away. */
  malwareFound: 0,
  scansFailed: 0,
  /** Files whose bytes were not there at the last comparison of this process. */
  filesMissing: 0,
  /** Backups that this process was to make, and could not. */
  backupsFailed: 0,
  /** Sockets that were closed because they did not take what they owed. */
  slowCloses: 0,
  /** Refused requests, upgrades, and frames of sockets, by error code. */
  refused: refusals(),
  refusedUpgrades: refusals(),
  refusedFrames: refusals(),
};

/** One more of this kind. */
export function countOf(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** A batch of writes was committed, or failed. */
export function measureCommit(items: number, ms: number): void {
  measures.commit.observe(ms / 1000);
  measures.batch.observe(items);
  if (ms > measures.commitMaxMs) measures.commitMaxMs = ms;
}

/** A request got its response. */
export function measureRequest(method: string, status: number, ms: number): void {
  const kind = { method: METHODS.has(method) ? method : 'other', status: `${Math.floor(status / 100)}xx` };
  const key = `${kind.method} ${kind.status}`;
  let known = measures.requests.get(key);
  if (!known) {
    known = { kind, seconds: new Histogram(REQUEST_BOUNDS) };
    measures.requests.set(key, known);
  }
  known.seconds.observe(ms / 1000);
}

/** Chooses the driver for the Node that runs this. */
import type { OpenOptions, Sqlite } from './driver.ts';

const [nodeMajor = 0] = process.versions.node.split('.').map(Number);

/** Opens a connection; creates the file if there is none, unless it is opened for reading only. */
export const openDatabase: (file: string, options: OpenOptions) => Sqlite = await (nodeMajor >= 24
  ? import('./node-sqlite.ts')
  : import('./better-sqlite3.ts')
).then(
  (driver) => driver.openDatabase,
  (error) => () => {
    throw new Error(`Node ${process.versions.node} has no SQLite driver (${String(error)})`);
  },
);

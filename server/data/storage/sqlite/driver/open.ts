/** Chooses the driver for the Node that runs this. */
import { UnusableDatabaseError } from '../../../../platform/unusable-database.ts';
import type { OpenOptions, Sqlite } from './driver.ts';

const [nodeMajor = 0] = process.versions.node.split('.').map(Number);

/** Opens a connection; creates the file if there is none, unless it is opened for reading only. */
export const openDatabase: (file: string, options: OpenOptions) => Sqlite = await (nodeMajor >= 24
  ? import('./node-sqlite.ts')
  : import('./better-sqlite3.ts')
).then(
  (driver) => driver.openDatabase,
  (error) => () => {
    const [cause = ''] = String(error).split('\n');
    throw new UnusableDatabaseError(
      `Node ${process.versions.node} has no SQLite driver (${cause}). Use Node 24, which has one built in. Or install a ` +
        'C++ compiler, make and Python 3, and run `npm rebuild better-sqlite3` where Roomful is installed.',
    );
  },
);

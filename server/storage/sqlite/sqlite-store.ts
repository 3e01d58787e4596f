/** The embedded store: SQLite in two worker threads, one that writes and one that reads. */
import type { Store } from '../store.ts';
import { createDataDir } from './data-dir.ts';
import { ReaderHandle } from './reader-handle.ts';
import { WriterHandle } from './writer-handle.ts';

export interface SqliteStoreOptions {
  dataDir: string;
  /** A commit's fate is unknown, or a worker died: the process must end. */
  onFatal(error: Error): void;
}

/** Opens the database in `dataDir`, makes it if there is none, and migrates it. Rejects with a sentence if it cannot. */
export async function openSqliteStore({
  dataDir,
  onFatal,
}: SqliteStoreOptions): Promise<{ store: Store; epoch: string }> {
  createDataDir(dataDir);
  const { writer, epoch } = await WriterHandle.start(dataDir, onFatal);
  try {
    const reader = await ReaderHandle.start(dataDir, onFatal);
    return { store: createStore(writer, reader), epoch };
  } catch (error) {
    await writer.end();
    throw error;
  }
}

function createStore(writer: WriterHandle, reader: ReaderHandle): Store {
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    // The writer goes last: who closes last empties the log into the database, and the reader may not write.
    await Promise.all([writer.finish(), reader.end()]);
    await writer.end();
  }
  return {
    createUser: (args) => writer.run({ name: 'createUser', args }),
    findUser: (key) => reader.run('findUser', key),
    createSession: (args) => writer.run({ name: 'createSession', args }),
    exchangeRefreshToken: (args) => writer.run({ name: 'exchangeRefreshToken', args }),
    revokeSession: (args) => writer.run({ name: 'revokeSession', args }),
    sessionsRevokedSince: (time) => reader.run('sessionsRevokedSince', time),
    createRoom: (args) => writer.run({ name: 'createRoom', args }),
    findRoom: (id) => reader.run('findRoom', id),
    listRooms: (query) => reader.run('listRooms', query),
    append: (args) => writer.run({ name: 'append', args }),
    history: (query) => reader.run('history', query),
    messagesAfter: (query) => reader.run('messagesAfter', query),
    spendTicket: (args) => writer.run({ name: 'spendTicket', args }),
    isTicketSpent: (jti) => reader.run('isTicketSpent', jti),
    saveRoster: (args) => writer.run({ name: 'saveRoster', args }),
    takeRoster: () => writer.run({ name: 'takeRoster', args: undefined }),
    async purge(args) {
      let more = true;
      while (more) more = await writer.run({ name: 'purge', args });
    },
    check: () => writer.run({ name: 'touch', args: Date.now() }),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

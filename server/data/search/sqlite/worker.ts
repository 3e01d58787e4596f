/** The thread of the index: it owns `search.db`, and turns texts into words. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Stems } from '../../../../protocol/search/tokens.ts';
import { workInBackground } from '../../../platform/niceness.ts';
import { Checkpointer } from '../../storage/sqlite/checkpointer.ts';
import { createPrivateFile } from '../../storage/sqlite/data-dir.ts';
import { makeDurable, openForWriting } from '../../storage/sqlite/database.ts';
import { codeOf, describe } from '../../storage/sqlite/driver/driver.ts';
import { Eraser } from '../../storage/sqlite/eraser.ts';
import { wordsOf } from '../search-index.ts';
import { createStems } from '../stems.ts';
import type { IndexCall, IndexCalls, IndexReply, IndexWorkerData } from './messages.ts';
import { type IndexOf, SqliteIndex } from './sqlite-index.ts';

const PAGE_CACHE_KIB = 8000;
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

async function start({ file, epoch, languages }: IndexWorkerData): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('worker.ts is a worker');
  // A search may wait for those who talk, and not the other way around.
  workInBackground();
  const stems = await createStems(languages);
  const of = { epoch, words: wordsOf(languages) };
  const { sqlite, index } = openIndex(file, of, stems);
  // What could not be moved or erased is tried again after the next write.
  const quiet = { onError: () => undefined, onWarning: () => undefined };
  const checkpointer = new Checkpointer(sqlite, quiet);
  const eraser = new Eraser({ sqlite, file, checkpointer }, quiet.onError);
  // The last run may have ended after a deletion.
  eraser.afterDeletion();

  const calls: IndexCalls = {
    isBegun: () => index.isBegun,
    begin: (places) => index.begin(places),
    state: () => index.state(),
    note: (state) => index.note(state),
    places: (roomIds) => index.places(roomIds),
    writeAll: (writes) => index.writeAll(writes),
    add: (entries) => index.add(entries),
    rooms: (of) => index.rooms(of),
    forget: (roomId) => index.forget(roomId),
    clear: () => index.clear(of),
    propose(proposal) {
      const until = performance.now() + proposal.withinMs;
      return index.propose(proposal, () => performance.now() >= until);
    },
  };

  function replyTo({ id, name, args }: IndexCall): IndexReply {
    try {
      // The union of name and args is one of the pairs of IndexCalls; TypeScript cannot follow the pairing.
      const result = (calls[name] as (args: unknown) => unknown)(args);
      if (index.takeErased()) eraser.afterDeletion();
      if (name !== 'propose') checkpointer.afterBatch();
      return { kind: 'done', id, result };
    } catch (error) {
      return { kind: 'failed', id, error: describe(error), isDamaged: isDamage(error) };
    }
  }

  port.on('message', (message: IndexCall | 'close') => {
    if (message !== 'close') return port.postMessage(replyTo(message));
    checkpointer.stop();
    eraser.finish();
    eraser.close();
    sqlite.close();
    port.close();
  });
}

function openIndex(file: string, of: IndexOf, stems: Stems) {
  createPrivateFile(file);
  const sqlite = openForWriting(file);
  try {
    makeDurable(sqlite);
    // What a power cut takes is read from the logs once more: the cursors are in the same file.
    sqlite.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
    return { sqlite, index: new SqliteIndex(sqlite, of, stems) };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return DAMAGE.test(codeOf(error));
}

try {
  await start(workerData as IndexWorkerData);
} catch (error) {
  const reply: IndexReply = { kind: 'unusable', error: describe(error), isDamaged: isDamage(error) };
  parentPort?.postMessage(reply);
  parentPort?.close();
}

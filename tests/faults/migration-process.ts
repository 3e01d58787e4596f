/** Opens a database as the writer does, which migrates it, and says when it begins and how long it took. */
import { databaseFile } from '../../server/data/storage/sqlite/data-dir.ts';
import { makeDurable, openForWriting } from '../../server/data/storage/sqlite/database.ts';
import { migrate } from '../../server/data/storage/sqlite/migrate.ts';

const sqlite = openForWriting(databaseFile(process.argv[2] ?? ''));
makeDurable(sqlite);
process.stdout.write('begun\n');
const begunAt = performance.now();
migrate(sqlite);
process.stdout.write(`done ${Math.round(performance.now() - begunAt)}\n`);
sqlite.close();

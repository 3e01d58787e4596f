/** The operator's commands for accounts, while the server is stopped: `npm run admin -- grant NAME`. */
import { existsSync } from 'node:fs';
import { usernameKeys } from '../../protocol/names.ts';
import { type Config, readConfig, readEnvironment } from '../config.ts';
import { databaseFile } from '../storage/sqlite/data-dir.ts';
import { openSqliteStore } from '../storage/sqlite/sqlite-store.ts';
import type { Store } from '../storage/store.ts';
import { UnusableDatabaseError } from '../storage/unusable-database.ts';

const HELP = `Usage: npm run admin -- grant NAME

grant NAME  makes the user with this name an admin

The server must be stopped. Settings come from the environment or from a .env file, as for the server itself.
`;

/** Runs a command; resolves with the sentence for the operator, and whether it succeeded. */
async function grant(store: Store, name: string): Promise<{ sentence: string; isDone: boolean }> {
  for (const key of usernameKeys(name)) {
    const user = await store.findUser(key);
    if (!user) continue;
    const isNew = await store.grantAdmin({ userId: user.id, isForced: true });
    return { sentence: `${user.username} is ${isNew ? 'now' : 'already'} an admin.`, isDone: true };
  }
  return { sentence: `There is no user ${JSON.stringify(name)}.`, isDone: false };
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const [command, name] = args;
  if (command !== 'grant' || name === undefined || args.length > 2) {
    process.stderr.write(HELP);
    return 2;
  }
  const store = await openStore(readConfig(readEnvironment()));
  const { sentence, isDone } = await grant(store, name);
  await store.close();
  (isDone ? process.stdout : process.stderr).write(`${sentence}\n`);
  return isDone ? 0 : 1;
}

async function openStore({ database, dataDir }: Config): Promise<Store> {
  if (database !== undefined) {
    const { openPostgresStore } = await import('../storage/postgres/postgres-store.ts');
    return (await openPostgresStore({ address: database, isShared: false, takeWithinMs: 0, onFatal: fail }))
      .store;
  }
  if (!existsSync(databaseFile(dataDir)))
    throw new UnusableDatabaseError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`);
  const onWarning = (warning: string) => void process.stderr.write(`${warning}\n`);
  return (await openSqliteStore({ dataDir, onFatal: fail, onWarning })).store;
}

function fail(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

process.exitCode = await main(process.argv.slice(2)).catch(fail);

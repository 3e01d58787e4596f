/** Checks of this machine and of the settings. They change nothing. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readBackupTime } from '../../../data/backup/last-backup.ts';
import { readFile } from '../../../data/backup/sqlite-file.ts';
import { SCHEMA_VERSION } from '../../../data/storage/migrations/migrations.ts';
import { SELECT_BACKUP_TIME } from '../../../data/storage/queries/backup-time.ts';
import { databaseFile } from '../../../data/storage/sqlite/data-dir.ts';
import { MOVED_TO, readMeta, schemaVersion } from '../../../data/storage/sqlite/migrate.ts';
import { explainOwner } from '../../../data/storage/sqlite/opening-errors.ts';
import { idOfSecret } from '../../../features/identity/secret.ts';
import type { Config } from '../../../platform/config.ts';
import { MIN_OPEN_FILES, openFilesLimit } from '../../../platform/net/open-files.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';
import { checkFiles } from './files.ts';
import { mayMake } from './folders.ts';
import { checkProcesses } from './processes.ts';
import { checkIndex, checkIndexFile, type IndexRow } from './search.ts';

const GIB = 2 ** 30;
const LEAST_FREE = 0.1 * GIB;
const DAY_MS = 86_400_000;
/** Open files for a server with many people. */
const MANY_FILES = 4096;
/** File systems over a network, by statfs(2): NFS, SMB, SMB2, AFS, 9P. */
const NETWORK = new Set([0x6969, 0x517b, 0xfe534d42, 0x5346414f, 0x01021997]);

const NO_ADMIN = 'There is no admin. Open the link in the log, or: roomful admin grant NAME';

export async function checkThisMachine(config: Config): Promise<Check[]> {
  return [
    checkNode(),
    checkOpenFiles(),
    await checkPort(config),
    ...(config.database === undefined
      ? await checkEmbedded(config.dataDir)
      : await checkPostgres(config.database, config.jwtSecret)),
    ...(config.redisUrl === undefined ? [] : [await checkRedis(config.redisUrl)]),
    ...(await checkFiles(config.files)),
    ...(config.backups === undefined ? [] : [checkBackupFolder(config.backups.into)]),
  ];
}

function checkNode(): Check {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return [20, 22].includes(major) || major >= 24
    ? ok('Node', process.version)
    : warning('Node', `${process.version} is not tested. Use 20, 22 or 24.`);
}

function checkOpenFiles(): Check {
  const limit = openFilesLimit();
  if (limit === undefined || limit >= MANY_FILES) return ok('open files', `${limit ?? 'no limit is known'}`);
  const advice = 'Raise it: `ulimit -n 65536` in a shell, LimitNOFILE=65536 in a systemd unit.';
  const told = `${limit} at most, one for each connection. ${advice}`;
  return limit < MIN_OPEN_FILES ? problem('open files', told) : warning('open files', told);
}

/** Whether the server's port is free, or Roomful has it already. */
async function checkPort({ host, port }: Config): Promise<Check> {
  const refusal = await new Promise<Error | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (refusal === undefined) return ok('port', `${port} is free; no server runs there.`);
  if (!('code' in refusal) || refusal.code !== 'EADDRINUSE')
    return problem('port', `${host}:${port} cannot be used: ${refusal.message}. Check HOST and PORT.`);
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  try {
    const response = await fetch(`http://${name}:${port}/health`, { signal: AbortSignal.timeout(5000) });
    const { version } = (await response.json()) as { version?: unknown };
    if (typeof version === 'string') return ok('port', `Roomful ${version} answers on ${port}.`);
  } catch {
    // Something else has it.
  }
  return problem('port', `${port} is used by another program. Stop it, or set PORT to another.`);
}

async function checkEmbedded(dataDir: string): Promise<Check[]> {
  if (!existsSync(dataDir))
    return [
      mayMake(dataDir)
        ? warning('data folder', `${dataDir} is not there yet. The first start makes it; or check DATA_DIR.`)
        : problem('data folder', `${dataDir} is not there, and this user may not make it. Check DATA_DIR.`),
    ];
  const folder = checkFolder(dataDir);
  // What this user may not read, nothing can be said about.
  if (folder.verdict === 'problem') return [folder];
  return [
    folder,
    checkDisk(dataDir),
    checkSecret(dataDir),
    await checkDatabase(dataDir),
    await checkIndexFile(dataDir),
    checkBackup(readBackupTime(dataDir)),
  ];
}

function checkFolder(dataDir: string): Check {
  const { mode, uid } = statSync(dataDir);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(
      'data folder',
      `${dataDir} cannot be written by this user. Run as the user of the server.`,
    );
  }
  const own = process.getuid?.();
  if (own !== undefined && uid !== own)
    return warning('data folder', `${dataDir} belongs to another user (${uid}). Run as that user.`);
  if ((mode & 0o077) !== 0)
    return warning('data folder', `Others can open ${dataDir}. Close it: chmod 700 ${dataDir}`);
  if (NETWORK.has(statfsSync(dataDir).type))
    return problem('data folder', `${dataDir} is on a network file system. Move it to a local disk.`);
  return ok('data folder', dataDir);
}

/** `BACKUP_DIR`. */
function checkBackupFolder(folder: string): Check {
  const name = 'backup folder';
  if (!existsSync(folder))
    return mayMake(folder)
      ? ok(name, `${folder} is not there yet; the first backup makes it.`)
      : problem(name, `${folder} is not there, and this user may not make it. Check BACKUP_DIR.`);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(name, folder);
  } catch {
    return problem(
      name,
      `${folder} cannot be written by this user. Check BACKUP_DIR, and run as the server does.`,
    );
  }
}

function checkDisk(dataDir: string): Check {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const told = `${(free / GIB).toFixed(1)} GiB are free.`;
  if (free < LEAST_FREE) return problem('disk', `${told} Make space now: a full disk takes no messages.`);
  return free < GIB ? warning('disk', `${told} Make space soon.`) : ok('disk', told);
}

function checkSecret(dataDir: string): Check {
  const file = join(dataDir, 'jwt-secret');
  if (process.env.JWT_SECRET) return ok('secret', 'JWT_SECRET is set.');
  if (!existsSync(file)) return ok('secret', 'There is none yet; the first start makes it.');
  return (statSync(file).mode & 0o077) === 0
    ? ok('secret', file)
    : problem('secret', `Others can read ${file}. Close it: chmod 600 ${file}`);
}

async function checkDatabase(dataDir: string): Promise<Check> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return ok('database', 'There is none yet; the first start makes it.');
  const owner = explainOwner(dataDir);
  if (owner !== undefined) return problem('database', `${owner}.`);
  try {
    return await readFile(file, (sqlite) => {
      const schema = schemaVersion(sqlite);
      const movedTo = readMeta(sqlite, MOVED_TO);
      if (movedTo !== undefined)
        return problem('database', `The data was moved to PostgreSQL at ${movedTo}. Set DATABASE_URL.`);
      if (schema > SCHEMA_VERSION)
        return problem('database', 'A newer Roomful has written it. Start that version or a later one.');
      const admins = sqlite.prepare("SELECT 1 FROM users WHERE role = 'admin' LIMIT 1").all();
      if (schema < SCHEMA_VERSION)
        return ok('database', 'The next start updates its schema. Back it up first.');
      return admins.length > 0
        ? ok('database', 'It opens, and its schema is the present one.')
        : warning('database', NO_ADMIN);
    });
  } catch (error) {
    return problem('database', `${file} cannot be read: ${reasonOf(error)}. Restore a backup.`);
  }
}

function checkBackup(madeAt: string | undefined): Check {
  if (madeAt === undefined) return warning('backup', 'There is no backup yet: roomful backup --to FOLDER');
  const days = (Date.now() - Date.parse(madeAt)) / DAY_MS;
  const told = `The latest is ${days.toFixed(1)} days old.`;
  return days > 2 ? warning('backup', `${told} Run roomful backup every night.`) : ok('backup', told);
}

/** SQLSTATE of a table and of a column that does not exist. */
const MISSING: ReadonlySet<unknown> = new Set(['42P01', '42703']);

/** Rows of a table that an empty database does not have, nor that of an older build: then `otherwise`. */
async function ifThere<T>(rows: Promise<T[]>, otherwise: T[]): Promise<T[]> {
  try {
    return await rows;
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return otherwise;
    throw error;
  }
}

async function checkPostgres(
  address: NonNullable<Config['database']>,
  secret: string | undefined,
): Promise<Check[]> {
  const { openPrimary } = await import('../../../data/storage/postgres/primaries.ts');
  const { sql } = await import('../../../data/storage/queries/sql.ts');
  const { liveProcesses } = await import('../../../data/storage/postgres/processes.ts');
  const { runSteps } = await import('../../../data/storage/postgres/transactions.ts');
  try {
    const connection = await openPrimary(address);
    try {
      const before = Date.now();
      const [row] = await connection.query<{ at: number; version: string }>(
        sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at, version() AS version`,
        10_000,
      );
      const [backup] = await ifThere(connection.query<{ value: string }>(SELECT_BACKUP_TIME, 10_000), []);
      const admins = await ifThere(
        connection.query<{ id: number }>(sql`SELECT id FROM users WHERE role = 'admin' LIMIT 1`, 10_000),
        [{ id: 0 }],
      );
      const [index] = await ifThere(
        connection.query<IndexRow>(sql`SELECT from_id AS "fromId", since FROM search_state`, 10_000),
        [],
      );
      const processes = await ifThere(runSteps(connection, liveProcesses()), []);
      const { timeline } = connection.primary;
      const offMs = Math.abs(Number(row?.at ?? 0) - (before + Date.now()) / 2);
      const seconds = (offMs / 1000).toFixed(1);
      return [
        ok('database', (row?.version ?? 'PostgreSQL').split(' on ')[0] ?? ''),
        offMs > 1000
          ? warning(
              'clock',
              `It is ${seconds} s off that of PostgreSQL. Run a time service on both machines.`,
            )
          : ok('clock', `It is ${seconds} s off that of PostgreSQL.`),
        ...(admins.length > 0 ? [] : [warning('accounts', NO_ADMIN)]),
        backup === undefined
          ? ok('backup', 'None by roomful backup is known. PostgreSQL may have backups of its own.')
          : checkBackup(backup.value),
        checkIndex(index),
        ...checkProcesses(processes, { secretId: idOfSecret(secret ?? ''), timeline }),
      ];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [problem('database', `${reasonOf(error)}. Check DATABASE_URL.`)];
  }
}

async function checkRedis(url: string): Promise<Check> {
  const { createClient } = await import('@redis/client');
  const client = createClient({ url, socket: { connectTimeout: 5000, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return ok('Redis', 'It answers.');
  } catch (error) {
    return problem('Redis', `It does not answer: ${reasonOf(error)}. Check REDIS_URL.`);
  } finally {
    client.destroy();
  }
}

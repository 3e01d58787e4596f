/** The only reader of the environment: it is checked once, at the start, by the rules of settings.ts. */
import { join } from 'node:path';
import { isGuessable, MIN_SECRET_LENGTH } from '../rules/secret-strength.ts';
import type { DatabaseAddress } from './database-address.ts';
import { DotEnvError, readDotEnv } from './dot-env.ts';
import type { OverloadMarks } from './overload.ts';
import { type Settings, settingLike, settings } from './settings.ts';
import type { StemLanguage } from './stem-languages.ts';

/** Backups that the running server makes. */
export interface BackupSettings {
  /** The folder that gets a folder for each. */
  into: string;
  everyHours: number;
  /** The number of backups to keep. */
  keep: number;
}

/** A bucket for the bytes of files. */
export interface S3Settings {
  /** The address of the bucket, without a slash at its end. */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** A folder of this machine for bytes on their way. */
  scratch: string;
}

export type ClamdAddress = { path: string } | { host: string; port: number };

/** Files that people upload. */
export interface FileSettings {
  folder: string;
  /** Where new files go in place of the folder. */
  s3: S3Settings | undefined;
  /** What looks at each file for malware. */
  clamd: ClamdAddress | undefined;
  /** Of one file; 0: none can be uploaded. */
  fileBytes: number;
  /** Of one user. */
  userBytes: number;
  /** Of all; undefined: a part of the disk. */
  totalBytes: number | undefined;
}

const MIB = 1024 * 1024;

export interface Config {
  port: number;
  host: string;
  /** Processes that share the port. */
  workers: number;
  dataDir: string;
  /** PostgreSQL; undefined: the embedded database in `dataDir`. */
  database: DatabaseAddress | undefined;
  /** Redis, through which several processes on one PostgreSQL work together; undefined: there is one process. */
  redisUrl: string | undefined;
  /** Tells this installation from a copy of its database on the same Redis; undefined: the database's name does. */
  installationId: string | undefined;
  /** Undefined: a secret is generated into the data folder on the first start. */
  jwtSecret: string | undefined;
  accessTokenTtlS: number;
  refreshTokenTtlS: number;
  ticketTtlS: number;
  /** Zero in either number turns a limit off. */
  rateLimit: { perSecond: number; burst: number };
  /** Addresses and CIDR ranges without per-address limits. */
  rateLimitExempt: string[];
  messageLimit: { perSecond: number; burst: number };
  socketsPerUser: number;
  socketsPerAddress: number;
  /** New rooms, and new direct conversations, of a user in 24 hours; 0: no limit. */
  roomsPerDay: number;
  dmsPerDay: number;
  /** Tries to accept an invitation, per address; 0: no limit. */
  inviteTriesPerMinute: number;
  /** New accounts, per address; 0: no limit. */
  accountsPerHour: number;
  /** Beyond these marks new sockets and writes are refused. */
  overload: OverloadMarks;
  trustProxy: string[];
  /** Origins, in lower case. */
  publicUrls: string[];
  allowedOrigins: string[];
  /** Hosts and ranges that outgoing requests may reach although they are not on the public internet. */
  outgoingAllow: string[];
  /** Whether the server opens links of messages, in rooms that want that. */
  linkPreviews: boolean;
  files: FileSettings;
  clientDir: string | undefined;
  /** Languages in which words are found by their stems. */
  searchLanguages: StemLanguage[];
  /** Opens `/metrics` for whoever has it; undefined: for loopback. */
  metricsToken: string | undefined;
  /** What is older is deleted; undefined: nothing is. */
  keepMessagesDays: number | undefined;
  keepAuditDays: number | undefined;
  /** Undefined: the server makes no backups by itself. */
  backups: BackupSettings | undefined;
  logLevel: Settings['LOG_LEVEL'];
  warnings: string[];
}

/** A setting that stops the start; the message is a sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The environment, and what `.env` in the working directory adds to it. Variables that are already set win. The
 * environment itself stays as it is, so that a worker that is started later reads the `.env` of then.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  try {
    return { ...readDotEnv('.env'), ...process.env };
  } catch (error) {
    if (error instanceof DotEnvError) throw new ConfigError(error.message);
    throw new ConfigError(`.env cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

/**
 * Names in `.env` that are no settings, each with the setting that it nearly is. Names that are like no setting are left
 * out: other programs may read the same file.
 */
export function misspeltSettings(): { name: string; meant: string }[] {
  return Object.keys(readDotEnv('.env')).flatMap((name) => {
    const meant = name in settings.shape ? undefined : settingLike(name);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** The settings in `env`, or a ConfigError that names each bad one. An empty value counts as not set. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`).join('\n'),
    );
  }
  refuseUnsupported(parsed.data);
  return toConfig(parsed.data);
}

function refuseUnsupported(env: Settings): void {
  if (env.WEB_CONCURRENCY > 1 && (env.DATABASE_URL === undefined || env.REDIS_URL === undefined))
    throw new ConfigError(
      'WEB_CONCURRENCY needs PostgreSQL and Redis, through which several processes share their work: ' +
        'set DATABASE_URL and REDIS_URL, or unset WEB_CONCURRENCY to run one process.',
    );
  if (env.REDIS_URL !== undefined && env.DATABASE_URL === undefined)
    throw new ConfigError(
      'REDIS_URL needs PostgreSQL, which several processes can share: ' +
        'set DATABASE_URL, too, or unset REDIS_URL to run one process.',
    );
  if (env.DATABASE_URL !== undefined && env.JWT_SECRET === undefined)
    throw new ConfigError(
      'DATABASE_URL needs a JWT_SECRET, because tokens must not depend on this machine: ' +
        `set it to at least ${MIN_SECRET_LENGTH} random characters (openssl rand -hex 32).`,
    );
}

function toConfig(env: Settings): Config {
  return {
    port: env.PORT,
    host: env.HOST,
    workers: env.WEB_CONCURRENCY,
    dataDir: env.DATA_DIR,
    database: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    installationId: env.INSTALLATION_ID,
    jwtSecret: env.JWT_SECRET,
    accessTokenTtlS: env.ACCESS_TOKEN_TTL_S,
    refreshTokenTtlS: env.REFRESH_TOKEN_TTL_S,
    ticketTtlS: env.WS_TICKET_TTL_S,
    rateLimit: { perSecond: env.RATE_LIMIT_PER_SECOND, burst: env.RATE_LIMIT_BURST },
    rateLimitExempt: env.RATE_LIMIT_EXEMPT,
    messageLimit: { perSecond: env.MESSAGES_PER_SECOND, burst: env.MESSAGE_BURST },
    socketsPerUser: env.SOCKETS_PER_USER,
    socketsPerAddress: env.SOCKETS_PER_ADDRESS,
    roomsPerDay: env.ROOMS_PER_DAY,
    dmsPerDay: env.DMS_PER_DAY,
    inviteTriesPerMinute: env.INVITE_TRIES_PER_MINUTE,
    accountsPerHour: env.ACCOUNTS_PER_HOUR,
    overload: { delayMs: env.OVERLOAD_DELAY_MS, memoryMiB: env.OVERLOAD_MEMORY_MB },
    trustProxy: env.TRUST_PROXY,
    publicUrls: env.PUBLIC_URL.map((origin) => origin.toLowerCase()),
    allowedOrigins: env.ALLOWED_ORIGINS.map((origin) => origin.toLowerCase()),
    outgoingAllow: env.OUTGOING_ALLOW,
    files: {
      folder: env.FILES_DIR ?? join(env.DATA_DIR, 'files'),
      s3: s3Of(env),
      clamd: env.CLAMD_URL,
      fileBytes: env.FILE_MAX_MIB * MIB,
      userBytes: env.FILES_PER_USER_MIB * MIB,
      totalBytes: env.FILES_TOTAL_MIB === undefined ? undefined : env.FILES_TOTAL_MIB * MIB,
    },
    linkPreviews: env.LINK_PREVIEWS === 'on',
    searchLanguages: env.SEARCH_LANGUAGES,
    clientDir: env.CLIENT_DIR,
    metricsToken: env.METRICS_TOKEN,
    keepMessagesDays: env.KEEP_MESSAGES_DAYS,
    keepAuditDays: env.KEEP_AUDIT_DAYS,
    backups:
      env.BACKUP_DIR === undefined
        ? undefined
        : { into: env.BACKUP_DIR, everyHours: env.BACKUP_EVERY_HOURS, keep: env.BACKUP_KEEP },
    logLevel: env.LOG_LEVEL,
    warnings: checkSecret(env.JWT_SECRET, env.NODE_ENV === 'production', env.DATABASE_URL !== undefined),
  };
}

function s3Of(env: Settings): S3Settings | undefined {
  const { S3_URL: url, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (url === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError(
      'S3_URL needs a key: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or unset S3_URL to keep files in FILES_DIR.',
    );
  return {
    url,
    accessKeyId,
    secretAccessKey,
    region: env.S3_REGION,
    scratch: join(env.DATA_DIR, 'files.tmp'),
  };
}

/**
 * Warns about a secret that can be guessed, with which anybody could sign tokens; in production it stops the start.
 * With PostgreSQL none is generated.
 */
function checkSecret(secret: string | undefined, production: boolean, hasDatabase: boolean): string[] {
  if (secret === undefined || !isGuessable(secret)) return [];
  const sentence =
    `JWT_SECRET is too short or easy to guess: use at least ${MIN_SECRET_LENGTH} random characters ` +
    '(openssl rand -hex 32)';
  if (production)
    throw new ConfigError(hasDatabase ? `${sentence}.` : `${sentence}, or unset it to have one generated.`);
  return [`${sentence}.`];
}

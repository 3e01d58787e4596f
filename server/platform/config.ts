/** The only reader of the environment: every setting, checked once at the start. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { isGuessable, MIN_SECRET_LENGTH } from '../rules/secret-strength.ts';
import { type DatabaseAddress, parseDatabaseAddress } from './database-address.ts';
import { DotEnvError, readDotEnv } from './dot-env.ts';
import { isAllowEntry } from './outgoing/allow-list.ts';
import type { OverloadMarks } from './overload.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** A whole number in plain decimal digits. */
function integer<Fallback extends number | undefined>(fallback: Fallback, min: number, max: number) {
  return z
    .string()
    .optional()
    .transform((raw, context) => {
      if (raw === undefined) return fallback;
      const value = /^[0-9]{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
      if (value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    });
}

/** A comma-separated list; every item must pass `isValid`. `hint` may say what is wrong with one that does not. */
function list(
  isValid: (item: string) => boolean,
  what: string,
  hint: (item: string) => string | undefined = () => undefined,
) {
  return z
    .string()
    .default('')
    .transform((raw, context) => {
      const items = raw
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      const bad = items.find((item) => !isValid(item));
      if (bad === undefined) return items;
      context.addIssue({
        code: 'custom',
        message: `must be a comma-separated list of ${what}; ${JSON.stringify(bad)} is not${hint(bad) ?? ''}`,
      });
      return z.NEVER;
    });
}

/** An address or a range. A range of all addresses (`/0`) is refused, because it would trust every peer. */
function isAddressOrCidr(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined || (/^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

function isOrigin(item: string): boolean {
  return hasProtocol(item, ['http:', 'https:']) && new URL(item).origin === item.toLowerCase();
}

/** The commonest mistake with an origin: a browser never names the default port. */
function defaultPortOf(item: string): string | undefined {
  const port = /:(80|443)$/.exec(item)?.[0];
  return port !== undefined && isOrigin(item.slice(0, -port.length)) && new URL(item).port === ''
    ? port
    : undefined;
}

function originList() {
  return list(isOrigin, 'origins such as https://chat.example.org', (item) => {
    const port = defaultPortOf(item);
    return port && `: leave out ${port}, the default port, as browsers do`;
  });
}

function hasProtocol(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function url(protocols: string[], what: string) {
  return z
    .string()
    .refine((raw) => hasProtocol(raw, protocols), `must be ${what}`)
    .optional();
}

function databaseUrl() {
  return z
    .string()
    .optional()
    .transform((raw, context) => {
      const address = raw === undefined ? undefined : parseDatabaseAddress(raw);
      if (raw === undefined || address !== undefined) return address;
      context.addIssue({
        code: 'custom',
        message: 'must be an address such as postgres://user:password@db.example.org:5432/roomful',
      });
      return z.NEVER;
    });
}

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: integer(8080, 0, 65_535),
  HOST: z.string().min(1).default('0.0.0.0'),
  WEB_CONCURRENCY: integer(1, 1, 64),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: databaseUrl(),
  REDIS_URL: url(['redis:', 'rediss:'], 'an address such as redis://redis.example.org:6379'),
  INSTALLATION_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, { error: 'must be 1 to 40 letters, digits, - or _' })
    .optional(),
  JWT_SECRET: z.string().min(1).optional(),
  ACCESS_TOKEN_TTL_S: integer(900, 1, 86_400),
  REFRESH_TOKEN_TTL_S: integer(604_800, 1, 31_536_000),
  WS_TICKET_TTL_S: integer(60, 1, 3600),
  RATE_LIMIT_PER_SECOND: integer(20, 0, 1_000_000),
  RATE_LIMIT_BURST: integer(40, 0, 1_000_000),
  RATE_LIMIT_EXEMPT: list(isAddressOrCidr, 'addresses or CIDR ranges'),
  MESSAGES_PER_SECOND: integer(50, 0, 1_000_000),
  MESSAGE_BURST: integer(300, 0, 1_000_000),
  SOCKETS_PER_USER: integer(50, 1, 1_000_000),
  SOCKETS_PER_ADDRESS: integer(5000, 1, 1_000_000),
  ROOMS_PER_DAY: integer(50, 0, 1_000_000),
  DMS_PER_DAY: integer(100, 0, 1_000_000),
  INVITE_TRIES_PER_MINUTE: integer(20, 0, 1_000_000),
  ACCOUNTS_PER_HOUR: integer(1000, 0, 1_000_000),
  OVERLOAD_DELAY_MS: integer(1000, 0, 60_000),
  OVERLOAD_MEMORY_MB: integer(undefined, 0, 1_000_000),
  TRUST_PROXY: list(isAddressOrCidr, 'addresses or CIDR ranges'),
  PUBLIC_URL: originList(),
  ALLOWED_ORIGINS: originList(),
  OUTGOING_ALLOW: list(isAllowEntry, 'hosts, addresses or CIDR ranges, each with a port where it needs one'),
  METRICS_TOKEN: z.string().min(16, { error: 'must have 16 characters at least' }).optional(),
  CLIENT_DIR: z.string().min(1).optional(),
  KEEP_MESSAGES_DAYS: integer(undefined, 1, 36_500),
  KEEP_AUDIT_DAYS: integer(undefined, 1, 36_500),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY_HOURS: integer(24, 1, 8760),
  BACKUP_KEEP: integer(7, 1, 10_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

type Environment = z.infer<typeof environment>;

/** Backups that the running server makes. */
export interface BackupSettings {
  /** The folder that gets a folder for each. */
  into: string;
  everyHours: number;
  /** The number of backups to keep. */
  keep: number;
}

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
  clientDir: string | undefined;
  /** Opens `/metrics` for whoever has it; undefined: for loopback. */
  metricsToken: string | undefined;
  /** What is older is deleted; undefined: nothing is. */
  keepMessagesDays: number | undefined;
  keepAuditDays: number | undefined;
  /** Undefined: the server makes no backups by itself. */
  backups: BackupSettings | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
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
 * The names in `.env` that are no settings and nearly are: each with the one that may be meant. Other programs may read
 * the same file, so that names that are like no setting are none of them.
 */
export function misspeltSettings(): { name: string; meant: string }[] {
  const known = Object.keys(environment.shape);
  return Object.keys(readDotEnv('.env')).flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((setting) => isNearly(name.toUpperCase(), setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Whether one name becomes the other by a letter more, less or another, or by two that change places. */
function isNearly(name: string, setting: string): boolean {
  let from = 0;
  while (from < name.length && name[from] === setting[from]) from++;
  const [left, right] = [name.slice(from), setting.slice(from)];
  const swapped = left.slice(1, 2) + left.slice(0, 1) + left.slice(2);
  return [
    left.slice(1) === right,
    left === right.slice(1),
    left.slice(1) === right.slice(1),
    swapped === right,
  ].includes(true);
}

/** The settings in `env`, or a ConfigError that names each bad one. An empty value counts as not set. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`).join('\n'),
    );
  }
  refuseUnsupported(parsed.data);
  return toConfig(parsed.data);
}

function refuseUnsupported(env: Environment): void {
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

function toConfig(env: Environment): Config {
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

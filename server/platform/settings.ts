/** Every setting: what its variable may hold, and its default. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseDatabaseAddress } from './database-address.ts';
import { isAllowEntry } from './outgoing/allow-list.ts';
import { isStemLanguage, STEMMERS, type StemLanguage } from './stem-languages.ts';

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

/** By default English; `none`: no word has a stem. */
function stemLanguages() {
  const what = `languages (${Object.keys(STEMMERS).join(', ')}), or none`;
  const languages = list((item) => isStemLanguage(item) || item === 'none', what);
  return languages.transform((items): StemLanguage[] =>
    items.length === 0 ? ['en'] : items.filter(isStemLanguage),
  );
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

/** Where a bucket is: the host, and the name of the bucket as the path. */
function bucketUrl() {
  return z
    .string()
    .optional()
    .transform((raw, context) => {
      if (raw === undefined || isBucketUrl(raw)) return raw?.replace(/\/$/, '');
      context.addIssue({
        code: 'custom',
        message: 'must be the address of a bucket, such as https://s3.example.org/roomful, without keys',
      });
      return z.NEVER;
    });
}

/** Where clamd listens: a host with its port, or the socket in a folder. */
function clamdAddress() {
  return z
    .string()
    .optional()
    .transform((raw, context) => {
      if (raw === undefined) return undefined;
      const path = /^unix:(?:\/\/)?(\/.+)$/.exec(raw)?.[1];
      if (path !== undefined) return { path };
      const { hostname = '', port = '' } = hasProtocol(raw, ['tcp:']) ? new URL(raw) : {};
      if (hostname !== '' && port !== '')
        return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
      context.addIssue({
        code: 'custom',
        message: 'must be an address such as tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
      });
      return z.NEVER;
    });
}

function isBucketUrl(raw: string): boolean {
  if (!hasProtocol(raw, ['http:', 'https:'])) return false;
  const { username, password, pathname, search, hash } = new URL(raw);
  return /^\/[a-z0-9][a-z0-9.-]+\/?$/.test(pathname) && username + password + search + hash === '';
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

export const settings = z.object({
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
  LINK_PREVIEWS: z.enum(['off', 'on'], { error: 'must be on or off' }).default('off'),
  SEARCH_LANGUAGES: stemLanguages(),
  METRICS_TOKEN: z.string().min(16, { error: 'must have 16 characters at least' }).optional(),
  CLIENT_DIR: z.string().min(1).optional(),
  FILES_DIR: z.string().min(1).optional(),
  S3_URL: bucketUrl(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/i, { error: 'must be the name of a region, such as eu-central-1' })
    .default('us-east-1'),
  CLAMD_URL: clamdAddress(),
  FILE_MAX_MIB: integer(100, 0, 1_000_000),
  FILES_PER_USER_MIB: integer(5000, 0, 1_000_000_000),
  FILES_TOTAL_MIB: integer(undefined, 0, 1_000_000_000),
  KEEP_MESSAGES_DAYS: integer(undefined, 1, 36_500),
  KEEP_AUDIT_DAYS: integer(undefined, 1, 36_500),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY_HOURS: integer(24, 1, 8760),
  BACKUP_KEEP: integer(7, 1, 10_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

export type Settings = z.infer<typeof settings>;

/** The setting that a misspelt name may mean: it differs by one letter, or two letters have changed places. */
export function settingLike(name: string): string | undefined {
  return Object.keys(settings.shape).find((setting) => isNearly(name.toUpperCase(), setting));
}

function isNearly(name: string, setting: string): boolean {
  let same = 0;
  while (same < name.length && name[same] === setting[same]) same++;
  const [rest, right] = [name.slice(same), setting.slice(same)];
  const swapped = rest.charAt(1) + rest.charAt(0) + rest.slice(2);
  const [without, rightWithout] = [rest.slice(1), right.slice(1)];
  return without === right || rest === rightWithout || without === rightWithout || swapped === right;
}

/** Whether a server can be used at all. */
import { ConfigError } from '../config.ts';
import { AwayError } from '../unusable-database.ts';
import { Link, type ServerFacts } from './link.ts';

const MIN_REDIS = [7, 0] as const;
const MIN_VALKEY = [7, 2] as const;
/** What Redis says to a login that it refuses. */
const NO_LOGIN = /^(NOAUTH|WRONGPASS|NOPERM|ERR .*AUTH)/;

/**
 * Connects. Rejects with a sentence for the operator: `AwayError` if the server is away, `ConfigError` if it cannot be
 * used, or refuses our login.
 */
export async function openLink(url: string): Promise<Link> {
  let link: Link | undefined;
  try {
    link = await Link.open(url);
    const complaint = complaintAbout(await link.facts());
    if (complaint === undefined) return link;
    throw new ConfigError(`REDIS_URL names ${complaint}: Roomful needs Redis 7.0, Valkey 7.2, or newer.`);
  } catch (error) {
    link?.destroy(new Error('not usable'));
    if (error instanceof ConfigError) throw error;
    throw unusable(url, error);
  }
}

export function unusable(url: string, error: unknown): AwayError | ConfigError {
  if (error instanceof AwayError || error instanceof ConfigError) return error;
  const reason = reasonOf(error);
  const sentence = `Redis at ${describe(url)} cannot be used: ${reason}. Start it, or check REDIS_URL.`;
  return NO_LOGIN.test(reason) ? new ConfigError(sentence) : new AwayError(sentence);
}

/** What is wrong with this server; undefined: nothing. */
export function complaintAbout({ name, version, mode, role }: ServerFacts): string | undefined {
  if (mode === 'cluster') return 'a node of a Redis Cluster, which Roomful does not support';
  if (role !== 'master') return 'a replica, which takes no writes';
  const [min, title] = name === 'valkey' ? [MIN_VALKEY, 'Valkey'] : [MIN_REDIS, 'Redis'];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < min[0] || (major === min[0] && minor < min[1]);
  return isOld ? `${title} ${version}, which is too old` : undefined;
}

/** The address without its password. */
function describe(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === '' ? 6379 : port}`;
}

/** The server's own words; a failed connection may have several causes, one for each address of the host. */
function reasonOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/\.$/, '');
}

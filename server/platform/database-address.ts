/** The address of the database, which may name several hosts: postgres://user:password@one:5432,two:5432/name. */

export interface Host {
  host: string;
  port: number;
}

export interface DatabaseAddress {
  /** In the order in which they are tried. */
  hosts: readonly Host[];
  user: string;
  password: string | undefined;
  database: string;
  /** `require` encrypts, `verify-full` also checks the server's certificate. */
  ssl: 'disable' | 'require' | 'verify-full';
}

const FORM = /^postgres(?:ql)?:\/\/(?:([^/@]*)@)?([^/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const SSL_MODES = ['disable', 'require', 'verify-full'] as const;

/** Undefined for a text that is no such address. `sslmode` is the only parameter. */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  const [, login = '', hostList = '', database = '', query = ''] = FORM.exec(text) ?? [];
  if (hostList === '') return undefined;
  const hosts = hostList.split(',').map(parseHost);
  if (!hosts.every((host) => host !== undefined)) return undefined;
  const { sslmode = 'disable', ...others } = Object.fromEntries(new URLSearchParams(query));
  const ssl = SSL_MODES.find((mode) => mode === sslmode);
  if (ssl === undefined || Object.keys(others).length > 0) return undefined;
  const [user = '', password] = login.split(/:(.*)/s, 2).map(decode);
  const name = decode(database);
  if (user === undefined || name === undefined || (login.includes(':') && password === undefined))
    return undefined;
  return { hosts, user: user || 'postgres', password, database: name, ssl };
}

/** Without the password, for messages. */
export function describeAddress({ hosts, database }: DatabaseAddress): string {
  return `${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')} (database ${database})`;
}

function parseHost(text: string): Host | undefined {
  const parsed = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (!parsed?.hostname || parsed.host.toLowerCase() !== text.toLowerCase().replace(/:80$/, ''))
    return undefined;
  const port = /:(\d+)$/.exec(text)?.[1];
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: port === undefined ? 5432 : Number(port) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The API's paths and their methods: they decide how a request without a route is refused, and which paths exist. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileKey } from '../../../protocol/attached-files.ts';
import { AppError } from '../../../protocol/errors.ts';
import { isReaction } from '../../../protocol/names.ts';
import { parseId } from '../../../protocol/text.ts';
import { decodedPath } from '../../platform/net/request-path.ts';

/** Paths without a route that must not get the web client's page either: a tool that requests them expects a 404. */
const RESERVED = ['metrics'];

/** Where WebSockets are opened. */
export const WS_PATH = '/ws';

/** Whether the request target of an upgrade is that of WebSockets, spelled exactly, with any query. */
export function isWsTarget(target: string): boolean {
  return target.split('?', 1)[0] === WS_PATH;
}

interface KnownPath {
  /** Captures the path's parameters. */
  pattern: RegExp;
  /** For each parameter whether a text can be its value. */
  isValue: ((text: string) => boolean)[];
  methods: Set<string>;
}

export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();
  readonly #firstSegments = new Set(RESERVED);

  /** Remembers every route that is added to `app` from now on. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      // A hidden path: 404 for every method, so that a 405 does not reveal it.
      if (url === '/metrics') return;
      const known = this.#paths.get(url) ?? { ...toPattern(url), methods: new Set() };
      for (const name of [method].flat()) known.methods.add(name);
      this.#paths.set(url, known);
      this.#firstSegments.add(firstSegment(url));
    });
  }

  /**
   * Whether the target is a path of the API, with a valid value for each parameter. `route`: the one that was found for
   * the request, if any, so that most need no search.
   */
  isReal(target: string, route: string | undefined): boolean {
    const path = decodedPath(target);
    if (path === null) return false;
    const found = route === undefined ? undefined : this.#paths.get(route);
    if (found && isOf(found, path)) return true;
    return [...this.#paths.values()].some((known) => isOf(known, path));
  }

  /**
   * For a request without a route: throws `method_not_allowed` (and sets `Allow`), `not_found` or `bad_request`.
   * Returns for a GET or HEAD outside the API, which the web client serves.
   */
  refuseUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const path = decodedPath(request.url);
    if (path === null) throw new AppError('bad_request');
    const methods = this.#methodsOf(path);
    if (!methods && this.#firstSegments.has(firstSegment(path))) throw new AppError('not_found');
    if (!methods && (request.method === 'GET' || request.method === 'HEAD')) return;
    reply.header('allow', (methods ?? ['GET', 'HEAD']).join(', '));
    throw new AppError('method_not_allowed');
  }

  /**
   * The methods of a path. Where two patterns fit, such as `/members/me` and `/members/:user_id`, the one with fewer
   * parameters is meant.
   */
  #methodsOf(path: string): string[] | undefined {
    const known = [...this.#paths.values()].filter(({ pattern }) => pattern.test(path));
    const [meant] = known.sort((a, b) => a.isValue.length - b.isValue.length);
    return meant && [...meant.methods].sort();
  }
}

function isOf({ pattern, isValue }: KnownPath, path: string): boolean {
  const values = pattern.exec(path)?.slice(1);
  return values?.every((value, index) => isValue[index]?.(value)) === true;
}

function firstSegment(path: string): string {
  return path.split('/')[1] ?? '';
}

function toPattern(url: string): Pick<KnownPath, 'pattern' | 'isValue'> {
  const parts = url.split('/');
  const parameters = parts.filter((part) => part.startsWith(':'));
  const patterns = parts.map((part) =>
    part.startsWith(':') ? '([^/]+)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return {
    pattern: new RegExp(`^${patterns.join('/')}$`),
    isValue: parameters.map((name) => VALUES[name] ?? isId),
  };
}

function isId(text: string): boolean {
  return parseId(text) !== null;
}

/** Parameters that are no ids. */
const VALUES: Readonly<Record<string, (text: string) => boolean>> = {
  ':code': isNoValue,
  ':key': isFileKey,
  ':name': isAnything,
  ':emoji': isReaction,
};

function isFileKey(text: string): boolean {
  return fileKey.safeParse(text).success;
}

/** The name of a file, which its key has already. */
function isAnything(): boolean {
  return true;
}

/** Codes can be guessed at, so all of them share the rate of the paths that do not exist. */
function isNoValue(): boolean {
  return false;
}

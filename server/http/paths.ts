/** The API's paths and their methods: they decide how a request without a route is refused, and which paths exist. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../protocol/errors.ts';
import { parseId } from '../../protocol/text.ts';
import { decodedPath } from '../net/request-path.ts';

/** Paths without a route that must not get the web client's page either: a tool that requests them expects a 404. */
const RESERVED = ['metrics'];

/** Where WebSockets are opened. */
export const WS_PATH = '/ws';

/** Whether the request target of an upgrade is that of WebSockets, spelled exactly, with any query. */
export function isWsTarget(target: string): boolean {
  return target.split('?', 1)[0] === WS_PATH;
}

interface KnownPath {
  /** Captures the path's parameters, which are all ids. */
  pattern: RegExp;
  methods: Set<string>;
}

export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();
  readonly #firstSegments = new Set(RESERVED);

  /** Remembers every route that is added to `app` from now on. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#paths.get(url) ?? { pattern: toPattern(url), methods: new Set() };
      for (const name of [method].flat()) known.methods.add(name);
      this.#paths.set(url, known);
      this.#firstSegments.add(firstSegment(url));
    });
  }

  /** Whether the target is a path of the API, with a valid id for each parameter. */
  isReal(target: string): boolean {
    const path = decodedPath(target);
    if (path === null) return false;
    for (const { pattern } of this.#paths.values()) {
      const ids = pattern.exec(path)?.slice(1);
      if (ids) return ids.every((id) => parseId(id) !== null);
    }
    return false;
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

  #methodsOf(path: string): string[] | undefined {
    for (const { pattern, methods } of this.#paths.values()) {
      if (pattern.test(path)) return [...methods].sort();
    }
    return undefined;
  }
}

function firstSegment(path: string): string {
  return path.split('/')[1] ?? '';
}

function toPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '([^/]+)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}

/** The paths that exist, and the methods of each: for 405, and for telling a real path from a made-up one. */
import type { FastifyInstance } from 'fastify';

interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>();

  /** Remembers every route that is added to `app` from now on. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#paths.get(url) ?? { pattern: toPattern(url), methods: new Set() };
      for (const name of [method].flat()) known.methods.add(name);
      this.#paths.set(url, known);
    });
  }

  /** The methods that a path takes, or undefined when there is no such path. */
  methodsOf(path: string): string[] | undefined {
    for (const { pattern, methods } of this.#paths.values()) {
      if (pattern.test(path)) return [...methods].sort();
    }
    return undefined;
  }
}

function toPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}

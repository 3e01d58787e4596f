/** `GET /api/v1/openapi.json`. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../protocol/constants.ts';
import { JSON_TYPE } from '../headers.ts';
import type { ApiRoute } from './document.ts';

/** The routes that are added to `app` from now on, without HEAD. */
export function watchRoutes(app: FastifyInstance): ApiRoute[] {
  const routes: ApiRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    for (const name of [method].flat()) {
      if (name !== 'HEAD') routes.push({ method: name, url, schema: (schema ?? {}) as ApiRoute['schema'] });
    }
  });
  return routes;
}

/** Nothing of the description is loaded or generated before the first request for it. */
export function registerOpenApiRoute(
  app: FastifyInstance,
  routes: readonly ApiRoute[],
  version: () => string,
): void {
  let text: Promise<string> | undefined;
  const generate = async (): Promise<string> => {
    const { openApiDocument } = await import('./document.ts');
    return JSON.stringify(openApiDocument(routes, version()));
  };
  app.get(`${API_PREFIX}/openapi.json`, async (_request, reply) => {
    text ??= generate();
    return reply.type(JSON_TYPE).send(await text);
  });
}

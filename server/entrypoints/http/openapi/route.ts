/** `GET /api/v1/openapi.json` and `GET /api/v1/asyncapi.json`. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
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

/** Nothing of a description is loaded or generated before the first request for it. */
export function registerDescriptionRoutes(
  app: FastifyInstance,
  routes: readonly ApiRoute[],
  version: () => string,
): void {
  serve(app, 'openapi.json', async () => {
    const { openApiDocument } = await import('./document.ts');
    return openApiDocument(routes, version());
  });
  serve(app, 'asyncapi.json', async () => {
    const { asyncApiDocument } = await import('./asyncapi.ts');
    return asyncApiDocument(version());
  });
}

function serve(app: FastifyInstance, name: string, generate: () => Promise<object>): void {
  let text: Promise<string> | undefined;
  app.get(`${API_PREFIX}/${name}`, async (_request, reply) => {
    text ??= generate().then((document) => JSON.stringify(document));
    return reply.type(JSON_TYPE).send(await text);
  });
}

/** `GET /api/v1/openapi.json` and `GET /api/v1/asyncapi.json`. */
import type { On } from '../endpoints.ts';

/** Nothing is generated before the first request for it. */
export function registerDescriptionRoutes(on: On, version: () => string): void {
  on(
    'GET /api/v1/openapi.json',
    once(async () => (await import('./document.ts')).openApiDocument(version())),
  );
  on(
    'GET /api/v1/asyncapi.json',
    once(async () => (await import('./asyncapi.ts')).asyncApiDocument(version())),
  );
}

function once(generate: () => Promise<object>): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => {
    text ??= generate().then((document) => JSON.stringify(document));
    return text;
  };
}

/** Random requests to every operation of the OpenAPI document. */
import fc from 'fast-check';
import type { RequestOptions } from '../support/http.ts';
import { hostileText, type Schema, someOf } from './schema-values.ts';

interface Operation {
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema; example: unknown } } };
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface FuzzRequest {
  /** As in the document: `GET /api/v1/rooms/{id}`. */
  operation: string;
  target: string;
  options: RequestOptions;
}

/** Requests to one operation after another. */
export function requestsTo({ paths, components }: OpenApi): fc.Arbitrary<FuzzRequest> {
  const resolve = (reference: string): Schema => components.schemas[reference.split('/').at(-1) ?? ''] ?? {};
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestTo(path, method, operation, resolve)),
  );
  return fc.oneof(...operations);
}

function requestTo(
  path: string,
  method: string,
  { parameters, requestBody }: Operation,
  resolve: (reference: string) => Schema,
): fc.Arbitrary<FuzzRequest> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const segments = fc.tuple(...inPath.map(({ schema }) => segmentOf(schema)));
  const query = fc
    .tuple(...inQuery.map(({ schema }) => fc.option(someOf(schema, resolve), { nil: undefined })))
    .map((values) => queryOf(inQuery.map(({ name }, index) => [name, values[index]])));
  return fc
    .record({ segments, query, body: bodyOf(requestBody, resolve) })
    .map(({ segments: found, query: search, body }) => {
      const rest = [...found];
      const target = path.replace(/\{\w+\}/g, () => encode(rest.shift() ?? ''));
      const verb = method.toUpperCase();
      return {
        operation: `${verb} ${path}`,
        target: `${target}${search}`,
        options: { method: verb, ...(body !== undefined && { body }) },
      };
    });
}

/** Mostly ids and emoji that there are. */
function segmentOf(schema: Schema): fc.Arbitrary<string> {
  const real =
    schema.type === 'integer' ? fc.integer({ min: 1, max: 8 }).map(String) : fc.constantFrom('👍', '🦊');
  return fc.oneof(
    { weight: 8, arbitrary: real },
    { weight: 1, arbitrary: hostileText.map((text) => text.slice(0, 300)) },
  );
}

function bodyOf(
  requestBody: Operation['requestBody'],
  resolve: (reference: string) => Schema,
): fc.Arbitrary<string | Uint8Array | undefined> {
  if (!requestBody) return fc.constant(undefined);
  const { schema, example } = requestBody.content['application/json'];
  return fc.oneof(
    { weight: 10, arbitrary: someOf(schema, resolve).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.constant(JSON.stringify(example)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '[]', '"', '{"__proto__":{"a":1}}', `${'['.repeat(5000)}`),
    },
  );
}

function queryOf(pairs: [string, unknown][]): string {
  const given = pairs.filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  const texts = given.map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `${name}=${encode(text.slice(0, 2000))}`;
  });
  return `?${texts.join('&')}`;
}

/** Percent-encodes the UTF-8 of any text, lone surrogates included. */
function encode(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[^\w.~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Random requests to every operation of the OpenAPI document. */
import fc from 'fast-check';
import type { RequestOptions } from '../support/http.ts';
import { hostileText, type Schema, someOf } from './schema-values.ts';

const JSON_TYPE = 'application/json';

interface Operation {
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[];
  /** JSON, or bytes of another type. */
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
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
    .record({ segments, query, body: bodyOf(requestBody, resolve), headers: headersOf(path, requestBody) })
    .map(({ segments: found, query: search, body, headers }) => {
      const rest = [...found];
      const target = path.replace(/\{\w+\}/g, () => encode(rest.shift() ?? ''));
      const verb = method.toUpperCase();
      return {
        operation: `${verb} ${path}`,
        target: `${target}${search}`,
        options: { method: verb, headers, ...(body !== undefined && { body }) },
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

/** Of an upload those of tus 1.0, right or wrong; and the type of bytes, as the document has it. */
function headersOf(
  path: string,
  requestBody: Operation['requestBody'],
): fc.Arbitrary<Record<string, string>> {
  const [type] = Object.keys(requestBody?.content ?? {});
  const sent = type === undefined || type === JSON_TYPE ? {} : { 'content-type': type };
  if (!path.includes('/uploads')) return fc.constant(sent);
  const number = fc.oneof(fc.nat(3000).map(String), fc.constantFrom('', '-1', '1e3', '9'.repeat(30)));
  const metadata = fc.oneof(
    fc.constantFrom('', ',', 'name', 'name !', 'room_id MQ==,purpose bWVzc2FnZQ==,name YS50eHQ='),
    fc.string({ maxLength: 200 }).map((text) => `name ${Buffer.from(text).toString('base64')},room_id MQ==`),
  );
  return fc
    .record(
      {
        'tus-resumable': fc.constantFrom('1.0.0', '1.0.0', '1.0.0', '0.2.2'),
        'upload-length': number,
        'upload-offset': number,
        'upload-metadata': metadata,
      },
      { requiredKeys: [] },
    )
    .map((tus) => ({ ...sent, ...tus }));
}

function bodyOf(
  requestBody: Operation['requestBody'],
  resolve: (reference: string) => Schema,
): fc.Arbitrary<string | Uint8Array | undefined> {
  if (!requestBody) return fc.constant(undefined);
  const { schema, example } = requestBody.content[JSON_TYPE] ?? {};
  if (!schema) return fc.uint8Array({ maxLength: 3000 });
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

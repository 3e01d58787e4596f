/** Generates the OpenAPI 3.1 document from the table of endpoints. */
import { STATUS_CODES } from 'node:http';
import { ZodObject, type ZodType } from 'zod';
import type { Endpoint } from '../../../../protocol/endpoints/endpoint.ts';
import { TEXT_PARAMETERS } from '../../../../protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName, parametersOf, partsOf } from '../../../../protocol/endpoints.ts';
import { ERRORS, type ErrorCode } from '../../../../protocol/errors.ts';
import { type Json, toSchema } from './schema.ts';

/** An endpoint with its method and path. */
interface Route {
  method: string;
  path: string;
  endpoint: Endpoint;
}

/** Errors that every endpoint can answer with. */
const EVERYWHERE: readonly ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'unsupported_media_type',
  'too_many_requests',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

export function openApiDocument(version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const route = { ...partsOf(name), endpoint: ENDPOINTS[name] };
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Roomful',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      summary: 'Self-hosted chat for many rooms and people',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The access token.' } },
    },
  };
}

function operation(route: Route, schemas: Json): Json {
  const {
    summary,
    access,
    body,
    bytes,
    mayLackBody,
    bodyExample,
    response = NO_BODY,
    example,
  } = route.endpoint;
  return {
    operationId: operationId(route),
    summary,
    ...(access === 'open' && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route, schemas)],
    ...(body && {
      requestBody: {
        required: !mayLackBody,
        content: json(toSchema(body, 'input', schemas), bodyExample),
      },
    }),
    ...(bytes && { requestBody: { required: true, content: BYTES[bytes] } }),
    responses: {
      ...errorResponses(errorsOf(route)),
      ...Object.fromEntries(
        Object.entries(response).map(([status, schema], index) => [
          status,
          success(status, schema, index === 0 ? example : undefined, schemas),
        ]),
      ),
    },
  };
}

const BYTES: Readonly<Record<NonNullable<Endpoint['bytes']>, Json>> = {
  tus: { 'application/offset+octet-stream': {} },
  any: { 'application/octet-stream': {} },
};

const NO_BODY: Readonly<Record<number, undefined>> = { 204: undefined };

function success(status: string, schema: ZodType | undefined, example: unknown, schemas: Json): Json {
  const description = STATUS_CODES[status] ?? status;
  if (!schema) return { description };
  return { description, content: json(toSchema(schema, 'output', schemas), example) };
}

function json(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** `GET /api/v1/rooms/:id` is `getRoomsId`. */
function operationId({ method, path }: Route): string {
  const words = path.replace('/api/v1', '').match(/[a-z]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

/** Whether this parameter of a path is text; the others are ids. */
function isText(name: string): boolean {
  return TEXT_PARAMETERS.some((one) => one === name);
}

function pathParameters({ path }: Route): Json[] {
  return parametersOf(path).map((name) => {
    const schema = isText(name) ? { type: 'string' } : { type: 'integer', minimum: 1 };
    return { name, in: 'path', required: true, schema };
  });
}

function queryParameters({ endpoint: { query } }: Route, schemas: Json): Json[] {
  if (!(query instanceof ZodObject)) return [];
  const { properties = {} } = toSchema(query, 'input', schemas) as { properties?: Json };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}

function errorsOf({ method, path, endpoint }: Route): ErrorCode[] {
  const { access, ownPages, errors = [], query, body } = endpoint;
  const codes: ErrorCode[] = [...EVERYWHERE, ...errors];
  if (access !== 'open') codes.push('missing_bearer_token', 'invalid_token');
  if (access === 'admin') codes.push('not_found');
  if (ownPages) codes.push('origin_not_allowed');
  if (body || query) codes.push('invalid_payload');
  if (method !== 'GET') codes.push('invalid_payload', 'payload_too_large');
  if (parametersOf(path).some(isText)) codes.push('invalid_payload');
  if (path.includes('/rooms/:id')) codes.push('invalid_room_id', 'room_not_found');
  if (query instanceof ZodObject) {
    for (const name of Object.keys(query.shape)) {
      if (`invalid_${name}` in ERRORS) codes.push(`invalid_${name}` as ErrorCode);
    }
  }
  return [...new Set(codes)];
}

/** What the body of an error may have besides its message. */
const FURTHER: Partial<Record<ErrorCode, Json>> = { account_suspended: { reason: { type: 'string' } } };

/** One response for each status, with the messages that it can have. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const some = codes.filter((code) => ERRORS[code].status === status);
      const messages = some.map((code) => ERRORS[code].message);
      const error = { type: 'string', enum: messages };
      const schema = {
        type: 'object',
        properties: Object.assign({ error }, ...some.map((code) => FURTHER[code])),
        required: ['error'],
        additionalProperties: false,
      };
      const retry = some.some((code) => ERRORS[code].retryable && [429, 503].includes(status));
      return [
        status,
        {
          description: STATUS_CODES[status] ?? String(status),
          ...(retry && { headers: { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } } }),
          content: json(schema, { error: messages[0] }),
        },
      ];
    }),
  );
}

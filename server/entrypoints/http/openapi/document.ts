/** Generates the OpenAPI 3.1 document from the registered routes, their zod schemas and their descriptions. */
import { STATUS_CODES } from 'node:http';
import { ZodObject, ZodPipe, ZodTransform, type ZodType, ZodUndefined } from 'zod';
import { ERRORS, type ErrorCode } from '../../../../protocol/errors.ts';
import { ADMINISTRATION } from './administration.ts';
import type { RouteDescription, RouteDescriptions } from './describe.ts';
import { PEOPLE } from './people.ts';
import { ROOM_ROUTES } from './rooms.ts';
import { type Json, toSchema } from './schema.ts';

/** A route as fastify has it. */
export interface ApiRoute {
  method: string;
  url: string;
  schema: {
    params?: ZodType;
    querystring?: ZodType;
    body?: ZodType;
    response?: Readonly<Record<number, ZodType>>;
  };
}

export const DESCRIPTIONS: RouteDescriptions = { ...PEOPLE, ...ROOM_ROUTES, ...ADMINISTRATION };

/** Errors that every route can answer with. */
const EVERYWHERE: readonly ErrorCode[] = [
  ...(['bad_request', 'request_timeout', 'unsupported_media_type', 'too_many_requests'] as const),
  ...(['headers_too_large', 'internal_error', 'service_unavailable'] as const),
];

/** Throws Error when a route has no description, or a description no route. */
export function openApiDocument(routes: readonly ApiRoute[], version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  const names = new Set(routes.map(nameOf));
  const stray = Object.keys(DESCRIPTIONS).find((name) => !names.has(name));
  if (stray !== undefined) throw new Error(`${stray} is described, and is no route`);
  for (const route of routes) {
    const description = DESCRIPTIONS[nameOf(route)];
    if (!description) throw new Error(`${nameOf(route)} has no description`);
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, description, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      ...{ title: 'Roomful', version, license: { name: 'MIT', identifier: 'MIT' } },
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

export function nameOf({ method, url }: ApiRoute): string {
  return `${method} ${url}`;
}

/** The schema of the body, and whether the request may leave it out: see `optionalBody`. */
export function bodyOf({ schema }: ApiRoute): { body: ZodType; required: boolean } | undefined {
  const { body } = schema;
  if (!body) return undefined;
  const isOptional = body instanceof ZodPipe && body.in instanceof ZodTransform;
  return isOptional ? { body: body.out as ZodType, required: false } : { body, required: true };
}

/** The responses of a route; `ZodUndefined` has no body. */
export function responsesOf(route: ApiRoute, description: RouteDescription): [string, ZodType][] {
  return Object.entries(description.response ?? route.schema.response ?? {});
}

function operation(route: ApiRoute, description: RouteDescription, schemas: Json): Json {
  const body = bodyOf(route);
  const successes = responsesOf(route, description);
  return {
    ...{ operationId: operationId(route), summary: description.summary },
    ...(description.open && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route, schemas)],
    ...(body && {
      requestBody: {
        required: body.required,
        content: json(toSchema(body.body, 'input', schemas), description.body),
      },
    }),
    responses: {
      ...errorResponses(errorsOf(route, description)),
      ...Object.fromEntries(
        successes.map(([status, schema], index) => [
          status,
          success(status, schema, index === 0 ? description.example : undefined, schemas),
        ]),
      ),
    },
  };
}

function success(status: string, schema: ZodType, example: unknown, schemas: Json): Json {
  const description = STATUS_CODES[status] ?? status;
  if (schema instanceof ZodUndefined) return { description };
  return { description, content: json(toSchema(schema, 'output', schemas), example) };
}

function json(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** `GET /api/v1/rooms/:id` is `getRoomsId`. */
function operationId({ method, url }: ApiRoute): string {
  const words = url.replace('/api/v1', '').match(/[a-z]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function namesInPath({ url }: ApiRoute): string[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Whether this parameter of a path is text; the others are ids. */
function isText(name: string): boolean {
  return name === 'code' || name === 'emoji';
}

function pathParameters(route: ApiRoute): Json[] {
  return namesInPath(route).map((name) => {
    const schema = isText(name) ? { type: 'string' } : { type: 'integer', minimum: 1 };
    return { name, in: 'path', required: true, schema };
  });
}

function queryParameters({ schema: { querystring } }: ApiRoute, schemas: Json): Json[] {
  if (!(querystring instanceof ZodObject)) return [];
  const { properties = {} } = toSchema(querystring, 'input', schemas) as { properties?: Json };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}

function errorsOf(route: ApiRoute, { open, errors = [] }: RouteDescription): ErrorCode[] {
  const { querystring, body } = route.schema;
  const codes: ErrorCode[] = [...EVERYWHERE, ...errors];
  if (!open) codes.push('missing_bearer_token', 'invalid_token');
  if (body || querystring) codes.push('invalid_payload');
  if (route.method !== 'GET') codes.push('invalid_payload', 'payload_too_large');
  if (namesInPath(route).some(isText)) codes.push('invalid_payload');
  if (route.url.includes('/rooms/:id')) codes.push('invalid_room_id', 'room_not_found');
  if (querystring instanceof ZodObject) {
    for (const name of Object.keys(querystring.shape)) {
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

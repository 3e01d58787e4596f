/** What an endpoint of the REST interface is. */
import type { ZodType } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * The people who may use an endpoint:
 * - `open`: everybody, without a token.
 * - `own`: every user with a token. The endpoint is about the user's own data, or about what every user may see.
 * - `room`: the rules of rooms decide, within the transaction. docs/PROTOCOL.md has their table.
 * - `admin`: admins of the server. For everybody else the endpoint does not exist (404).
 */
export type Access = 'open' | 'own' | 'room' | 'admin';

export interface Endpoint {
  /** What it does, as one sentence without its full stop. */
  summary: string;
  access: Access;
  /** Pages of other origins are refused, before the body is read: they would use up their visitor's attempts. */
  ownPages?: true;
  /** Errors, besides those that follow from the path, the query, the body and the access. */
  errors?: readonly ErrorCode[];
  query?: ZodType;
  body?: ZodType;
  /**
   * The body is bytes, of which the handler reads the stream. `tus`: with the type that tus 1.0 asks for
   * (`application/offset+octet-stream`); `any`: whatever its type says.
   */
  bytes?: 'tus' | 'any';
  /** A request without a body means `{}`. */
  mayLackBody?: true;
  /** An example of the body. Every endpoint with a body has one. */
  bodyExample?: unknown;
  /** The responses of success by status. Without it: 204, without a body. */
  response?: Readonly<Record<number, ZodType>>;
  /**
   * The service writes the JSON itself, and `response` only describes it: a page of messages or of rooms is large,
   * and its rows come from the database as they are sent.
   */
  isWritten?: true;
  /** An example of the first response. Every endpoint that answers with a body has one. */
  example?: unknown;
}

/** By method and path. A parameter of the path is an id, but for those of `TEXT_PARAMETERS`. */
export type Endpoints = Readonly<Record<`${Method} /${string}`, Endpoint>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** Parameters of paths that are no ids. */
export const TEXT_PARAMETERS = ['code', 'emoji', 'key', 'name'] as const;
export type TextParameter = (typeof TEXT_PARAMETERS)[number];

/** The names of the parameters of a path: `id` and `user_id` for `/rooms/:id/members/:user_id`. */
export type ParametersOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** A path with values for its parameters, and perhaps with a query. */
export type FilledPath<Path extends string> = Path extends `${infer Before}/:${infer Name}/${infer Rest}`
  ? `${Before}/${Value<Name>}${FilledPath<`/${Rest}`>}`
  : Path extends `${infer Before}/:${infer Name}`
    ? `${Before}/${Value<Name>}`
    : Path;

type Value<Name extends string> = Name extends TextParameter ? string : number;

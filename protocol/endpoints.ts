/**
 * The REST interface, each endpoint written once. The server registers its routes from this table, generates the
 * OpenAPI document from it, and the compiler checks the paths that the client requests against it.
 */
import { ACCOUNTS } from './endpoints/accounts.ts';
import { ADMINISTRATION } from './endpoints/administration.ts';
import { EMOJI } from './endpoints/emoji.ts';
import type { FilledPath, Method, ParametersOf } from './endpoints/endpoint.ts';
import { FILES } from './endpoints/files.ts';
import { MESSAGES } from './endpoints/messages.ts';
import { MODERATION } from './endpoints/moderation.ts';
import { OPERATION } from './endpoints/operation.ts';
import { PEOPLE } from './endpoints/people.ts';
import { ROOMS } from './endpoints/rooms.ts';

type Table = typeof ACCOUNTS &
  typeof PEOPLE &
  typeof ROOMS &
  typeof MESSAGES &
  typeof FILES &
  typeof EMOJI &
  typeof MODERATION &
  typeof ADMINISTRATION &
  typeof OPERATION;

export const ENDPOINTS: Table = {
  ...ACCOUNTS,
  ...PEOPLE,
  ...ROOMS,
  ...MESSAGES,
  ...FILES,
  ...EMOJI,
  ...MODERATION,
  ...ADMINISTRATION,
  ...OPERATION,
};

/** Its method and its path, such as `GET /api/v1/rooms/:id`. */
export type EndpointName = keyof Table;
export type EndpointOf<Name extends EndpointName> = Table[Name];

/** The names of the parameters in the path of an endpoint. */
export type PathParameters<Name extends EndpointName> = ParametersOf<PathOf<Name>>;
type PathOf<Name extends string> = Name extends `${Method} ${infer Path}` ? Path : never;

/** What a client may request with a method: a path below `/api/v1` with its ids, and perhaps with a query. */
export type RequestPath<M extends Method> = M extends Method ? Filled<M> | `${Filled<M>}?${string}` : never;
type Filled<M extends Method> = EndpointName extends infer Name
  ? Name extends `${M} /api/v1${infer Path}`
    ? FilledPath<Path>
    : never
  : never;

/** The method and the path of an endpoint. */
export function partsOf(name: EndpointName): { method: Method; path: string } {
  const [method, path] = name.split(' ') as [Method, string];
  return { method, path };
}

/** The names of the parameters in a path. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Registers the endpoints of protocol/endpoints.ts: a route file gives each its handler, and nothing else. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type ZodType, z } from 'zod';
import type { Endpoint, TextParameter } from '../../../protocol/endpoints/endpoint.ts';
import {
  ENDPOINTS,
  type EndpointName,
  type EndpointOf,
  type PathParameters,
  partsOf,
} from '../../../protocol/endpoints.ts';
import type { Sessions } from '../../features/identity/sessions.ts';
import type { Identity } from '../../features/identity/tokens.ts';
import type { OriginPolicy } from '../../platform/net/origin.ts';
import { createAuthenticate, identityOf } from './authenticate.ts';
import { JSON_TYPE } from './headers.ts';
import { parametersReader } from './params.ts';

/** A request of an endpoint, as its handler gets it. */
export interface Call<Name extends EndpointName> {
  /** The user of the access token. Throws Error on an open endpoint. */
  readonly userId: number;
  readonly identity: Identity;
  readonly params: {
    readonly [Parameter in PathParameters<Name>]: Parameter extends TextParameter ? string : number;
  };
  readonly query: Parsed<EndpointOf<Name>, 'query'>;
  readonly body: Parsed<EndpointOf<Name>, 'body'>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Parsed<E, Part extends 'query' | 'body'> =
  E extends Readonly<Record<Part, ZodType>> ? z.output<E[Part]> : undefined;

/** What a handler returns: the body of the response, or nothing where there is none. */
type Answer<E> = E extends { isWritten: true }
  ? string
  : E extends { response: Readonly<Record<number, infer Schema extends ZodType>> }
    ? z.input<Schema>
    : // biome-ignore lint/suspicious/noConfusingVoidType: the result of a handler.
      void;

export type Handler<Name extends EndpointName> = (
  call: Call<Name>,
) => Answer<EndpointOf<Name>> | Promise<Answer<EndpointOf<Name>>>;

/** Gives an endpoint its handler. */
export type On = <Name extends EndpointName>(name: Name, handler: Handler<Name>) => void;

export interface EndpointParts {
  sessions: Sessions;
  origins: OriginPolicy;
}

export function createOn(app: FastifyInstance, { sessions, origins }: EndpointParts): On {
  const authenticate = createAuthenticate(sessions);
  const checkPage: onRequestAsyncHookHandler = async ({ raw }) => origins.checkRequest(raw);
  return (name, handler) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { method, path } = partsOf(name);
    const readParams = parametersReader(path);
    const success = Number(Object.keys(endpoint.response ?? NO_BODY)[0]);
    app.route({
      method,
      url: path,
      onRequest: [
        ...(endpoint.ownPages ? [checkPage] : []),
        ...(endpoint.access === 'open' ? [] : [authenticate]),
      ],
      schema: schemasOf(endpoint),
      ...(endpoint.bytes && { config: { bytes: endpoint.bytes } }),
      handler: async (request, reply) => {
        reply.code(success);
        if (endpoint.isWritten) reply.type(JSON_TYPE);
        const body = await handler(
          callOf(request, reply, readParams(request.params as Record<string, string>)),
        );
        return reply.send(endpoint.response && body);
      },
    });
  };
}

/** The response of a request that returns nothing. */
const NO_BODY = { 204: z.undefined() };

function schemasOf({ query, body, mayLackBody, response = NO_BODY, isWritten }: Endpoint) {
  return {
    ...(query && { querystring: query }),
    // Fastify validates null in the place of a body that is absent.
    ...(body && { body: mayLackBody ? z.preprocess((given) => given ?? {}, body) : body }),
    ...(!isWritten && { response }),
  };
}

function callOf<Name extends EndpointName>(
  request: FastifyRequest,
  reply: FastifyReply,
  params: Record<string, string | number>,
): Call<Name> {
  return {
    get userId() {
      return identityOf(request).userId;
    },
    get identity() {
      return identityOf(request);
    },
    params: params as Call<Name>['params'],
    query: request.query as Call<Name>['query'],
    body: request.body as Call<Name>['body'],
    request,
    reply,
  };
}

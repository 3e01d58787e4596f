/** Registers the endpoints of protocol/endpoints.ts: a route file gives each its handler, and nothing else. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
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
  ? string | Uint8Array
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
  const checkPage: onRequestHookHandler = ({ raw }, _, done) => {
    origins.checkRequest(raw);
    done();
  };
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
        const params = readParams(request.params as Record<string, string>);
        const body = await handler(new EndpointCall(request, reply, params) as Call<typeof name>);
        // Not `reply.send(…)`: a reply that is returned is waited for until it has been sent.
        return endpoint.response && body;
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

/** A class, as an object literal with getters takes a hundred times as long. */
class EndpointCall {
  readonly params: Record<string, string | number>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly query: unknown;
  readonly body: unknown;

  constructor(request: FastifyRequest, reply: FastifyReply, params: Record<string, string | number>) {
    this.params = params;
    this.request = request;
    this.reply = reply;
    this.query = request.query;
    this.body = request.body;
  }

  get identity(): Identity {
    return identityOf(this.request);
  }

  get userId(): number {
    return this.identity.userId;
  }
}

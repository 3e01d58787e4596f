/** What the description of a route says beyond its schemas. */
import type { ZodType } from 'zod';
import type { ErrorCode } from '../../../../protocol/errors.ts';

/** A route that `GET /api/v1/openapi.json` describes. */
export interface RouteDescription {
  /** What the route does, as one sentence without its full stop. */
  summary: string;
  /** Errors of this route, besides those that follow from its path, its query, its body and its credentials. */
  errors?: readonly ErrorCode[];
  /** Works without credentials. */
  open?: true;
  /** An example of the body. Every route with a body has one. */
  body?: unknown;
  /** An example of the first successful response. Every route that answers with a body has one. */
  example?: unknown;
  /** The responses, where the route itself has no schema of them. */
  response?: Readonly<Record<number, ZodType>>;
}

/** By method and path. */
export type RouteDescriptions = Readonly<Record<string, RouteDescription>>;

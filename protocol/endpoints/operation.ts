/** Endpoints for operators and their monitoring, the descriptions of the interface, and `/ws`. */
import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';

const { TIME } = EXAMPLES;

const status = z.object({ status: z.literal('ok') });
const health = z.enum(['healthy', 'unhealthy']);
const checks = z.object({ database: health, broker: health.optional() });
const notReady = z.object({ error: z.string(), status: z.literal('not_ready'), checks });

export const OPERATION = {
  'GET /api/v1/asyncapi.json': {
    summary: 'Returns the description of the WebSocket in AsyncAPI 3.0',
    access: 'open',
    response: { 200: z.looseObject({ asyncapi: z.string() }) },
    isWritten: true,
    example: { asyncapi: '3.0.0' },
  },
  'GET /api/v1/openapi.json': {
    summary: 'Returns this description',
    access: 'open',
    response: { 200: z.looseObject({ openapi: z.string() }) },
    isWritten: true,
    example: { openapi: '3.1.1' },
  },
  'GET /health': {
    summary: 'Says that the process is alive, since when, and its version',
    access: 'open',
    response: { 200: status.extend({ timestamp: z.string(), uptime: z.int(), version: z.string() }) },
    example: { status: 'ok', timestamp: TIME, uptime: 3600, version: '0.1.0' },
  },
  'GET /healthz': {
    summary: 'Says that the process is alive',
    access: 'open',
    response: { 200: status },
    example: { status: 'ok' },
  },
  'GET /ready': {
    summary: 'Says whether the server takes requests',
    access: 'open',
    response: { 200: z.object({ status: z.literal('ready'), checks }), 503: notReady },
    example: { status: 'ready', checks: { database: 'healthy' } },
  },
  'GET /version': {
    summary: 'Returns the versions of the server and of Node',
    access: 'open',
    response: {
      200: z.object({
        version: z.string(),
        git_commit: z.string(),
        build_time: z.string(),
        node_version: z.string(),
      }),
    },
    example: { version: '0.1.0', git_commit: '60991e8', build_time: TIME, node_version: 'v20.19.0' },
  },
  'GET /ws': {
    summary: 'Opens a WebSocket when asked to upgrade, with a ticket; says why it would not otherwise',
    access: 'open',
    errors: [
      'upgrade_required',
      'unsupported_protocol',
      'invalid_ws_room_id',
      'invalid_since',
      'missing_ws_ticket',
      'invalid_ws_ticket',
      'origin_not_allowed',
      'room_not_found',
    ],
    response: {},
  },
} as const satisfies Endpoints;

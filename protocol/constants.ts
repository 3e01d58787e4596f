/** Names that client and server share. This module does not import zod, so a browser bundle can leave zod out. */

export const API_PREFIX = '/api/v1';

/** Until an admin gives it another one. */
export const DEFAULT_SERVER_NAME = 'Roomful';

/** In order of preference. */
export const SUBPROTOCOLS = ['chatroom.v2', 'chatroom.v1'] as const;
export type Subprotocol = (typeof SUBPROTOCOLS)[number];
/** `Sec-WebSocket-Protocol: chatroom.v1, ticket.<ticket>` carries the ticket; it is never echoed. */
export const TICKET_PROTOCOL_PREFIX = 'ticket.';

/** Close codes (RFC 6455 §7.4); 4000-4099 reconnect, 4100-4199 refresh the session first, 4200-4299 stay away. */
export const CLOSE = {
  done: 1000,
  goingAway: 1001,
  binary: 1003,
  abuse: 1008,
  serverFault: 1011,
  overloaded: 1013,
  restart: 4000,
  slowConsumer: 4009,
  sessionRevoked: 4101,
  roomGone: 4204,
} as const;

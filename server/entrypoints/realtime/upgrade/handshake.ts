/** What an upgrade asks for, read from its request line and headers. */
import type { IncomingMessage } from 'node:http';
import { SUBPROTOCOLS, type Subprotocol, TICKET_PROTOCOL_PREFIX } from '../../../../protocol/constants.ts';
import { AppError, type ErrorCode } from '../../../../protocol/errors.ts';
import { parseId, parseSeq } from '../../../../protocol/text.ts';

/** The subprotocol of a client that offers none. */
const DEFAULT_SUBPROTOCOL: Subprotocol = 'chatroom.v1';

/** What the URL names. */
export interface Target {
  roomId: number | undefined;
  /** It names a place in a log, with `since` or `epoch`. No protocol has that: chatroom.v1 ignores it. */
  hasPlace: boolean;
}

export interface Offer {
  /** Those that the server knows; `chatroom.v1` of a client that offers none. */
  subprotocols: readonly Subprotocol[];
  /** False when the client offered no subprotocol; the response then names none. */
  isNamed: boolean;
  ticket: string | undefined;
}

/** Whether it is a WebSocket handshake (RFC 6455 §4.2.1). HTTP/1.0 has no upgrade (RFC 9110 §7.8). */
export function isHandshake({ headers, httpVersion }: IncomingMessage): boolean {
  const { upgrade, 'sec-websocket-version': version, 'sec-websocket-key': key } = headers;
  return (
    httpVersion !== '1.0' &&
    upgrade?.toLowerCase() === 'websocket' &&
    version === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(key ?? '')
  );
}

/** Parses the URL. A parameter that occurs twice is invalid. Throws `invalid_ws_room_id` or `invalid_since`. */
export function targetOf(url: string | undefined): Target {
  // The URL of a line has no parameters.
  if (!url?.includes('?')) return { roomId: undefined, hasPlace: false };
  const query = queryOf(url);
  const roomId = single(query, 'room_id', parseId, 'invalid_ws_room_id');
  const since = single(query, 'since', parseSeq, 'invalid_since');
  return { roomId, hasPlace: since !== undefined || query.has('epoch') };
}

/** A ticket for all rooms takes everything else from the socket's first frame. */
export function refuseTarget({ roomId, hasPlace }: Target): void {
  if (roomId !== undefined) throw new AppError('invalid_ws_room_id');
  if (hasPlace) throw new AppError('invalid_since');
}

/** What the client can speak, and its ticket. Throws `unsupported_protocol`. */
export function offerOf({ headers, url }: IncomingMessage): Offer {
  const offered = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const names = offered.filter((name) => !name.startsWith(TICKET_PROTOCOL_PREFIX));
  const subprotocols =
    names.length === 0 ? [DEFAULT_SUBPROTOCOL] : SUBPROTOCOLS.filter((name) => names.includes(name));
  if (subprotocols.length === 0) throw new AppError('unsupported_protocol');
  const ticket = offered
    .find((name) => name.startsWith(TICKET_PROTOCOL_PREFIX))
    ?.slice(TICKET_PROTOCOL_PREFIX.length);
  return {
    subprotocols,
    isNamed: names.length > 0,
    ticket: ticket ?? queryOf(url).get('ticket') ?? undefined,
  };
}

function single<T>(
  query: URLSearchParams,
  name: string,
  parse: (text: string) => T | null,
  refusal: ErrorCode,
): T | undefined {
  const values = query.getAll(name);
  if (values.length === 0) return undefined;
  const value = values.length === 1 ? parse(values[0] ?? '') : null;
  if (value === null) throw new AppError(refusal);
  return value;
}

function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(url ?? '')?.[1] ?? '');
}

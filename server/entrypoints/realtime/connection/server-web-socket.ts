import { WebSocket } from 'ws';

/**
 * Emits `closing` once the closing handshake has begun, whoever began it: the server, the client's close frame, or a
 * fault in the protocol, after its `error`. ws itself tells only of the end.
 */
export class ServerWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason);
    process.nextTick(() => this.emit('closing'));
  }
}

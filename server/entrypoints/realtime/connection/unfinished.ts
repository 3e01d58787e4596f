/**
 * Messages that a client begins and does not end. What has come of them is in memory, and pings keep the socket alive.
 */
import type { WebSocket } from 'ws';
import { UNFINISHED_AFTER_MS } from '../../../../protocol/limits.ts';

/**
 * What ws knows of a message that is arriving. It has no other way to tell; a test notices when an update changes it.
 */
interface Receiver {
  /** The kind of a message of which some fragments have come; 0: none have. */
  readonly _fragmented: number;
  /** Bytes of a frame that is not complete. */
  readonly _bufferedBytes: number;
  /** 0: the next byte begins a frame. */
  readonly _state: number;
}

/** Whether a part of a message has come, or a part of a frame. */
export function isUnfinished(websocket: WebSocket): boolean {
  const { _receiver: receiver } = websocket as unknown as { _receiver: Receiver | null };
  return (
    receiver !== null && (receiver._fragmented > 0 || receiver._bufferedBytes > 0 || receiver._state > 0)
  );
}

/** Since when a socket owes the end of a message. */
export class Unfinished {
  #since: number | undefined;

  /** A message is complete: the next one has its own time. */
  end(): void {
    this.#since = undefined;
  }

  /** The process stood still for so long, and read nothing meanwhile. */
  stoodStill(ms: number): void {
    if (this.#since !== undefined) this.#since += ms;
  }

  /** Call it each second. Whether the same message has been unfinished for too long; `now`: monotonic milliseconds. */
  isOverdue(websocket: WebSocket, now: number): boolean {
    if (!isUnfinished(websocket)) this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since > UNFINISHED_AFTER_MS;
  }
}

/** The part of a WebSocket that the SDK uses. The browser's class has it, and so does the one of `ws`. */
export interface WebSocketLike {
  /** 0: connecting, 1: open, 2: closing, 3: closed. */
  readonly readyState: number;
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
}

/** The class of a WebSocket. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

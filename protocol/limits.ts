/** The numbers of the interface. Lengths of text are counted in Unicode code points, never in UTF-16 units. */

export const MAX_ID = Number.MAX_SAFE_INTEGER;

export const USERNAME = { min: 2, max: 64 } as const;
export const PASSWORD = { min: 8, max: 128 } as const;
export const ROOM_NAME = { min: 1, max: 128 } as const;
export const MESSAGE_CONTENT = { min: 1, max: 4000 } as const;
/** The client's own name for a message it sends, so that a repeat is recognised. */
export const CID = { min: 1, max: 64 } as const;

export const HISTORY_PAGE = { default: 50, max: 200 } as const;
export const ROOMS_PAGE = { default: 500, max: 500 } as const;

/** The size of one WebSocket message: enough for 4000 characters even when a JSON encoder escapes each of them. */
export const MAX_FRAME_BYTES = 64 * 1024;
/** The most fragments of one frame; a browser sends one. */
export const MAX_FRAME_FRAGMENTS = 64;
export const MAX_BODY_BYTES = 64 * 1024;

/** The time from the last `is_typing:true` to the `false` that the server sends by itself. */
export const TYPING_TTL_MS = 3000;
/** A repeated `is_typing:true` within this window is dropped silently. */
export const TYPING_REPEAT_MS = 1000;

/** Reconnect delays: 1.0, 1.5, 2.25 … seconds, never above 15. */
export const RECONNECT = { firstMs: 1000, factor: 1.5, capMs: 15_000 } as const;

/** Message text (as JSON) that a user may send over all their sockets, in KiB; a message counts as at least 1 KiB. */
export const TEXT_PER_USER = { kibPerSecond: 64, burstKib: 512 } as const;

export const PING_TEXT_MAX = 64;
/** The interval of the server's WebSocket pings, and the silence after which it considers a socket dead. */
export const HEARTBEAT_MS = 25_000;
export const SILENT_AFTER_MS = 60_000;

/** The most events in one `batch`. */
export const BATCH_MAX_EVENTS = 200;
/** A client that is further behind than this number of events reloads history instead of resuming. */
export const RESUME_MAX_BEHIND = 5000;
/** The most names in `hello.users`. */
export const HELLO_MAX_USERS = 200;
/** In a room with more people than this, joins and leaves are collected and sent once per `PRESENCE_WINDOW_MS`. */
export const SMALL_ROOM_USERS = 20;
export const PRESENCE_WINDOW_MS = 250;
/** A user who comes back within this time after a planned restart is not announced as having left. */
export const RESTART_GRACE_MS = 15_000;

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

/** One WebSocket message: 4000 characters even after a careless JSON encoder escaped each of them. */
export const MAX_FRAME_BYTES = 64 * 1024;
/** A frame may be cut into so many fragments; a browser sends one. */
export const MAX_FRAME_FRAGMENTS = 64;
export const MAX_BODY_BYTES = 64 * 1024;

/** `is_typing:false` follows so long after the last `true`. */
export const TYPING_TTL_MS = 3000;
/** A repeated `is_typing:true` within this window is dropped silently. */
export const TYPING_REPEAT_MS = 1000;

/** Reconnect delays: 1.0, 1.5, 2.25 … seconds, never above 15. */
export const RECONNECT = { firstMs: 1000, factor: 1.5, capMs: 15_000 } as const;

/** Text of messages as JSON that a user may send over all their sockets, in KiB; every message has at least one. */
export const TEXT_PER_USER = { kibPerSecond: 64, burstKib: 512 } as const;

export const PING_TEXT_MAX = 64;
/** The server's WebSocket pings, and the silence after which it takes a socket for dead. */
export const HEARTBEAT_MS = 25_000;
export const SILENT_AFTER_MS = 60_000;

/** Events in one `batch` at most. */
export const BATCH_MAX_EVENTS = 200;
/** Who is further behind than this reloads history instead. */
export const RESUME_MAX_BEHIND = 5000;
/** Names in `hello.users` at most. */
export const HELLO_MAX_USERS = 200;
/** A room with more people than this tells joins and leaves in bulk, so often. */
export const SMALL_ROOM_USERS = 20;
export const PRESENCE_WINDOW_MS = 250;
/** Who comes back so soon after a planned restart never left. */
export const RESTART_GRACE_MS = 15_000;

/** The numbers of the interface. Lengths of text are counted in Unicode code points, never in UTF-16 units. */

export const MAX_ID = Number.MAX_SAFE_INTEGER;

export const USERNAME = { min: 2, max: 64 } as const;
export const PASSWORD = { min: 8, max: 128 } as const;
export const ROOM_NAME = { min: 1, max: 128 } as const;
export const MESSAGE_CONTENT = { min: 1, max: 4000 } as const;
/** The client's own name for a message it sends, so that a repeat is recognised. */
export const CID = { min: 1, max: 64 } as const;

/** People whom one message mentions. More is a list rather than a call; `@room` calls all. */
export const MENTIONED_MAX = 50;
/**
 * Members of a room in which everybody may call all (`@room`). In a larger one moderators may, unless its settings say
 * otherwise: one careless word would interrupt many people.
 */
export const ROOM_CALL_FREE_TO = 50;
/** A client asks before a message notifies more people than this. */
export const ROOM_CALL_ASKS_FROM = 20;
/** Earlier texts of a message that are kept. */
export const REVISIONS_MAX = 50;
/** Different emoji at one message, and the people whom a message names for each. */
export const REACTIONS_MAX = 20;
export const REACTION_PEOPLE = 20;
/** The people whom `GET …/reactions` names for each emoji. */
export const REACTION_PEOPLE_LISTED = 200;
export const PINS_MAX = 100;
export const THREAD_TITLE_MAX = 100;
/** The latest authors whom a thread names at its root. */
export const THREAD_PEOPLE = 3;
export const THREADS_PAGE = { default: 50, max: 100 } as const;
/** The most threads in one response to `GET /me/threads`: those with the latest replies. */
export const FOLLOWED_THREADS_LISTED = 100;
/** Code points of a query, and the terms and filters that it may have together. */
export const SEARCH_QUERY_MAX = 512;
export const SEARCH_TERMS_MAX = 12;
export const SEARCH_PAGE = { default: 20, max: 50 } as const;
export const SAVED_MAX = 1000;
export const SAVED_PAGE = { default: 50, max: 100 } as const;
export const SAVED_NOTE_MAX = 500;
export const INBOX_PAGE = { default: 50, max: 100 } as const;
/** Weekly hours in which a user wants no notifications. */
export const QUIET_HOURS_MAX = 14;

export const DISPLAY_NAME_MAX = 64;
export const STATUS_TEXT_MAX = 100;
/** The longest name of a time zone. */
export const TIME_ZONE_MAX = 64;
export const SERVER_NAME_MAX = 64;
export const ROOM_TOPIC_MAX = 250;
export const ROOM_DESCRIPTION_MAX = 2000;
/** UTF-16 units; a family of four with skin tones has 25. */
export const EMOJI_MAX = 40;

/**
 * JSON of the rows of any list in one response, in UTF-16 code units, which are 3 MiB of UTF-8 at most: enough for 200
 * messages of 4000 letters. A list that does not fit is cut, and says how to go on.
 */
export const PAGE_MAX_CHARACTERS = 1024 * 1024;
export const HISTORY_PAGE = { default: 50, max: 200 } as const;
export const ROOMS_PAGE = { default: 500, max: 500 } as const;
export const MEMBERS_PAGE = { default: 100, max: 200 } as const;
/** The most users in one response to `GET /me/blocks`. */
export const BLOCKS_PAGE = 500;
/** The most users in one response to `GET /users`. */
export const USERS_PAGE = 100;
export const ADMIN_PAGE = { default: 50, max: 100 } as const;
/** Characters of a reason or a note. */
export const NOTE_MAX = 500;
/** A ban can delete what the person has posted in this time before it. */
export const BAN_DELETES_MAX_S = 7 * 86_400;
/** The end of a mute or a ban that has none: the last moment of the year 9999, in Unix milliseconds. */
export const RESTRICTED_WITHOUT_END = 253_402_300_799_999;

/** The most people in a direct conversation, the user included. */
export const DM_PEOPLE_MAX = 10;
/** Direct conversations that a list of rooms includes, the latest; older ones come back with their next message. */
export const DMS_LISTED = 200;
export const MEMBERSHIPS_MAX = 500;
export const ROOM_MEMBERS_MAX = 100_000;
export const INVITE_TTL_S = { min: 60, default: 7 * 86_400, max: 30 * 86_400 } as const;
/** How long a link sets a new password. */
export const RESET_TTL_S = 86_400;
/** How long a link signs in. */
export const SIGN_IN_LINK_TTL_S = 600;
export const INVITE_USES_MAX = 1000;
export const LIVE_INVITES_MAX = 50;
/** Members whom an invitation names. */
export const INVITATION_PEOPLE = 5;

/** The size of one WebSocket message: enough for 4000 characters even when a JSON encoder escapes each of them. */
export const MAX_FRAME_BYTES = 64 * 1024;
/** The most fragments of one frame; a browser sends one. */
export const MAX_FRAME_FRAGMENTS = 64;
/** How long a WebSocket message may take from its first byte to its last. */
export const UNFINISHED_AFTER_MS = 30_000;
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

/** The time from the upgrade to `start`. */
export const START_TIMEOUT_MS = 10_000;
/** Rooms that one socket has open. */
export const OPEN_ROOMS_MAX = 50;
/** Rooms whose unread messages one frame may ask for. */
export const UNREAD_ROOMS_MAX = 20;
/** Rooms whose unread messages are counted when a client starts without any state. */
export const UNREAD_AT_START = 50;
/** A count of unread messages stops here. */
export const UNREAD_MAX = 100;
export const WATCHED_USERS_MAX = 500;
/** The entries of a list in a `head` frame; beyond it the lists are absent. */
export const HEAD_LIST_MAX = 20;
/** Changes in rooms that are not open are collected this long; for a client that shows no room, the longer time. */
export const HEAD_EVERY_MS = 1000;
export const HEAD_EVERY_HIDDEN_MS = 15_000;
/** Characters of a message in `last`. */
export const EXCERPT_MAX = 120;
/** UTF-16 code units of a message that its excerpt is made from. */
export const EXCERPT_START = 1000;
/** A user who leaves a room without closing the socket stays in it for this long. */
export const HERE_LINGER_MS = 10_000;

/** The most events in one `batch`. */
export const BATCH_MAX_EVENTS = 200;
/** A client that is further behind than this number of events reloads history instead of resuming. */
export const RESUME_MAX_BEHIND = 5000;
/** The most names in `hello.users`. */
export const HELLO_MAX_USERS = 200;
/**
 * In a room with more people than this, joins and leaves are collected and sent together: after a time for each user who
 * is there, within the bounds.
 */
export const SMALL_ROOM_USERS = 20;
export const PRESENCE_WINDOW = { minMs: 250, msPerUser: 0.5, maxMs: 5000 } as const;
/** A user who comes back within this time after a planned restart is not announced as having left. */
export const RESTART_GRACE_MS = 15_000;

/** The longest URL of a push subscription. */
export const PUSH_ENDPOINT_MAX = 1024;
/** Browsers of one user that receive notifications; a further one replaces the oldest. */
export const PUSH_SUBSCRIPTIONS_MAX = 20;
/** Characters of each text of a test notification. */
export const PUSH_TEST_MAX = 200;

/** Accounts that are suspended or removed by one request about a flood of them. */
export const ENDED_ACCOUNTS_MAX = 500;

/** Accounts that such a request names to be left alone. */
export const KEEP_ACCOUNTS_MAX = 200;

/** The most bytes of one `PATCH` of an upload, and of a file that is sent in one request. */
export const UPLOAD_CHUNK_MAX = 8 * 1024 * 1024;
/** How long an upload, or a file that is not sent yet, is kept after the last byte that came. */
export const UPLOAD_TTL_S = 86_400;
/** Uploads of one user that are not complete. */
export const UPLOADS_OPEN_MAX = 4;
/** Files of one user that are not sent yet, with the uploads that are not complete. */
export const FILES_UNSENT_MAX = 60;
/** Files of one message. */
export const FILES_PER_MESSAGE = 10;
/** Days that a room keeps files, at most; without the setting, they are kept for ever. */
export const FILES_KEEP_DAYS_MAX = 36_500;
/** Files in one response to `GET /rooms/:id/files`. */
export const ROOM_FILES_PAGE = 100;
/** Bytes of a file's name in UTF-8: the most that file systems take. */
export const FILE_NAME_MAX_BYTES = 255;
/** Characters of the text that stands for a file. */
export const FILE_ALT_MAX = 500;
/** Bytes of the small picture of a file. */
export const FILE_PREVIEW_MAX = 512 * 1024;
/** Bytes of a picture of a person or of the server, and the pixels of its longest side. */
export const PICTURE_MAX = 256 * 1024;
export const PICTURE_SIDE_MAX = 512;
/** Emoji of the server. */
export const SERVER_EMOJI_MAX = 1000;
/** Of the people who have most files, those whom the administration names. */
export const FILE_PEOPLE_LISTED = 20;
/** Links of a message that are looked at for a preview: the first ones. */
export const LINKS_PREVIEWED = 3;
/** Characters of what a preview says. */
export const LINK_TITLE_MAX = 200;
export const LINK_DESCRIPTION_MAX = 300;
export const LINK_SITE_MAX = 80;
export const LINK_IMAGE_ALT_MAX = 300;
/** UTF-16 units of an address that is looked at. */
export const LINK_MAX = 2048;

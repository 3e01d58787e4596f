import type { GoneReason } from '../../protocol/frames/v2.ts';

/** Why a connection ended for good. */
export type CloseReason =
  | 'stopped'
  | 'signed_out'
  /** The room does not exist, or the user may not see it any more. */
  | 'room_gone'
  /** 50 other rooms were used since. */
  | 'displaced';

/**
 * `origin`: the server responds, but it refuses WebSockets from the origin of this page. Either a proxy or the server's
 * `ALLOWED_ORIGINS` is misconfigured. Absent: the server cannot be reached at all, or nothing is wrong yet.
 */
export type WaitReason = 'origin';

/** The connection of a client, and of each of its rooms. */
export type ConnectionState =
  | { readonly status: 'connecting'; readonly reason?: WaitReason | undefined }
  /** The server has sent `hello`. */
  | { readonly status: 'open' }
  /**
   * The next attempt starts at `retryAt` (milliseconds since the epoch). `error` is set when the attempt failed with
   * something other than an `ApiError`, such as a URL that the browser rejects.
   */
  | {
      readonly status: 'waiting';
      readonly retryAt: number;
      readonly reason?: WaitReason | undefined;
      readonly error?: unknown;
    }
  /** `gone`: how the user has lost the room, where the server has said so; only with the reason `room_gone`. */
  | { readonly status: 'closed'; readonly reason: CloseReason; readonly gone?: GoneReason };

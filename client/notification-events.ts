import type { Cancel } from './clock.ts';
import type { Frame } from './connection/frames.ts';

/** What calls for the user's attention, wherever it is, and what the user has done about it on any device. */
export interface AttentionEvents {
  /** An entry of the inbox came or was withdrawn. After a reconnection, those of the meantime come, too. */
  inbox: Frame<'inbox'>;
  /** A message calls for attention now. It comes once, and is lost while there is no connection. */
  notify: Frame<'notify'>;
  /** The user has saved a message, or does not keep it any more. */
  saved: Frame<'saved'>;
  /** The user follows a thread or has read in it, or does not follow it any more. */
  thread_follow: Frame<'thread_follow'>;
}

/** Reports `AttentionEvents` by name, until the returned function is called. */
export interface Attention {
  on<Name extends keyof AttentionEvents>(
    name: Name,
    listener: (event: AttentionEvents[Name]) => void,
  ): Cancel;
}

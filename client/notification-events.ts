import type { Cancel } from './clock.ts';
import type { Frame } from './connection/frames.ts';

/** What notifies the user, wherever it is, and what the user has done about it on any device. */
export interface NotificationEvents {
  /** An entry of the inbox came or was withdrawn. After a reconnection, those of the meantime come, too. */
  inbox: Frame<'inbox'>;
  /** A message notifies the user now. It comes once, and is lost while there is no connection. */
  notify: Frame<'notify'>;
  /** The user has saved a message, or does not keep it any more. */
  saved: Frame<'saved'>;
  /** The user follows a thread or has read in it, or does not follow it any more. */
  thread_follow: Frame<'thread_follow'>;
}

/** Reports `NotificationEvents` by name, until the returned function is called. */
export interface Notifications {
  on<Name extends keyof NotificationEvents>(
    name: Name,
    listener: (event: NotificationEvents[Name]) => void,
  ): Cancel;
}

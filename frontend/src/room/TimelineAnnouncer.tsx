import { useEffect, useState } from 'react';
import type { Message, Room } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';

interface TimelineAnnouncerProps {
  readonly room: Room;
  /** The signed-in user's id: nobody needs to be told what they say themselves. */
  readonly me: number;
}

/** What comes in this time is announced together. */
const GATHER_MS = 1000;
/** More than so many at once are counted instead of read out. */
const MAX_READ = 3;
/** Of a long message this much is read out. */
const MAX_CHARACTERS = 300;

/**
 * Reads new messages out to those who listen. The timeline itself is silent: there, history that is loaded and rows that
 * come and go as one scrolls would be read out as well.
 */
export function TimelineAnnouncer({ room, me }: TimelineAnnouncerProps) {
  const text = useText();
  const [heard, setHeard] = useState<readonly Message[]>([]);

  useEffect(() => {
    let waiting: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      setHeard(waiting);
      waiting = [];
    };
    const unfollow = room.on('message', (message) => {
      if (message.user_id === me) return;
      waiting.push(message);
      timer ??= setTimeout(tell, GATHER_MS);
    });
    return () => {
      unfollow();
      clearTimeout(timer);
    };
  }, [room, me]);

  const last = heard.at(-1);
  return (
    <div className="visually-hidden" aria-live="polite" data-testid="announcer">
      {heard.length > MAX_READ && last !== undefined ? (
        <p key={last.seq}>{text.room.announceMany(heard.length, last.username)}</p>
      ) : (
        heard.map(({ seq, username, content }) => (
          <p key={seq}>{text.room.announce(username, content.slice(0, MAX_CHARACTERS))}</p>
        ))
      )}
    </div>
  );
}

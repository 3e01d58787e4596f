import { useEffect, useState } from 'react';
import { indexOfSeq, lastSeq, type Message, type Room, type RoomState } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fileWords } from '../../parts/files/message-words.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { spokenText } from './spoken-text.ts';

interface TimelineAnnouncerProps {
  readonly room: Room;
  /** The signed-in user's id: own messages are not announced. */
  readonly me: number;
}

/** Messages that arrive within this time are announced together. */
const GATHER_MS = 1000;
/** More than this many at once are counted instead of read out. */
const MAX_READ = 3;

/**
 * Announces new messages to screen readers, in the live region around it. The timeline itself is silent: otherwise
 * loaded history and rows that enter the document as the reader scrolls would be read out, too.
 */
export function TimelineAnnouncer({ room, me }: TimelineAnnouncerProps) {
  const { timeline: words } = useScreenTexts();
  const [heard, setHeard] = useState<readonly Message[]>([]);

  useEffect(() => {
    let waiting: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      setHeard(waiting);
      waiting = [];
    };
    // The state, not the socket's frames: where no socket gets through, new messages come with pages. Null: it is not
    // known yet what there is, and all of that is history.
    let toldSeq = endOf(room.state);
    const unsubscribe = room.on('state', (state) => {
      const fromSeq = toldSeq;
      toldSeq = endOf(state);
      if (fromSeq === null || toldSeq === null || toldSeq <= fromSeq) return;
      const fresh = state.messages.slice(indexOfSeq(state.messages, fromSeq + 1));
      const { blocked } = useOwnRooms.getState();
      const isHeard = ({ user_id: id, notice }: Message) =>
        id !== me && notice === undefined && !blocked.has(id);
      waiting.push(...fresh.filter(isHeard));
      if (waiting.length > 0) timer ??= setTimeout(tell, GATHER_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [room, me]);

  const last = heard.at(-1);
  const isMany = heard.length > MAX_READ;
  // Of a burst, what calls the user is still read out.
  const read = isMany ? heard.filter((message) => calls(message, me)).slice(-MAX_READ) : heard;
  return (
    <>
      {isMany && last !== undefined && (
        <p key={`to ${last.seq}`}>{words.announceMany(heard.length, last.username)}</p>
      )}
      {read.map((message) => (
        <p key={message.seq}>{words.announce(message.username, spoken(message))}</p>
      ))}
    </>
  );
}

/** Its text, and what its files are. */
function spoken({ content, files = [] }: Message): string {
  return [spokenText(content), fileWords(files)].filter((words) => words !== '').join('. ');
}

function calls({ mentions, mention_room }: Message, me: number): boolean {
  return mention_room !== undefined || mentions?.includes(me) === true;
}

function endOf(state: RoomState): number | null {
  return state.loaded ? lastSeq(state) : null;
}

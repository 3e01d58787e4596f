import { useEffect, useState } from 'react';
import { findQuoted, type Message, messagesApi } from '../../../../client/index.ts';
import { excerptOf } from '../../../../protocol/excerpt.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fileWords } from '../../parts/files/message-words.ts';
import { chat } from '../../stores/chat.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useDisplayName } from '../../stores/people.ts';
import { useRoom } from '../../stores/room.ts';
import { messagePath, navigate, threadPath } from '../../stores/route.ts';
import { inThisTab } from '../../ui/in-this-tab.ts';
import styles from './Quote.module.css';

interface QuoteProps {
  /** The quoted message. */
  readonly messageId: number;
  /** Whether the message that quotes it is the Tab stop. */
  readonly active: boolean;
}

/** What a message answers: as it is now, wherever it is held, and a link to it. */
export function Quote({ messageId, active }: QuoteProps) {
  const { thread: texts } = useScreenTexts();
  const roomId = useRoom(({ room }) => room?.id ?? 0);
  const { quoted, isGone } = useQuoted(messageId);
  if (quoted === undefined) {
    return <p className={styles.quote}>{isGone ? texts.quoteMissing : '\u00A0'}</p>;
  }
  const { thread_id: threadId } = quoted;
  const path =
    threadId === undefined ? messagePath(roomId, messageId) : threadPath(roomId, threadId, messageId);

  return (
    <a
      className={styles.quote}
      href={path}
      tabIndex={active ? 0 : -1}
      onClick={inThisTab(() => navigate(path))}
      data-testid="quote"
    >
      <span className={styles.elbow} />
      <span className="visually-hidden">{texts.answers} </span>
      <QuotedText message={quoted} />
    </a>
  );
}

/** The author of a message and its first line. */
export function QuotedText({ message }: { readonly message: Message }) {
  const { thread: texts } = useScreenTexts();
  const name = useDisplayName(message.user_id);
  const isBlocked = useOwnRooms(({ blocked }) => blocked.has(message.user_id));
  const isDeleted = message.deleted_at !== undefined;
  return (
    <>
      <span className={styles.author}>{name ?? message.username}</span>
      <span className={styles.words} data-deleted={isDeleted}>
        {isDeleted ? texts.quoteDeleted : isBlocked ? texts.quoteBlocked : quotedWords(message)}
      </span>
    </>
  );
}

/** A line has no space for code, unless there is nothing else. */
function quotedWords({ content, files = [] }: Message): string {
  return (
    excerptOf(content.replaceAll(/```[^\n]*\n[\s\S]*?(?:```|$)/g, '\n')) ||
    excerptOf(content) ||
    fileWords(files)
  );
}

/** Reads it from the server where it is not held. */
function useQuoted(id: number) {
  const room = useRoom((store) => store.room);
  const quoted = useRoom(({ state }) => (state === null ? undefined : findQuoted(state, id)));
  const [isGone, setGone] = useState(false);
  const isMissing = quoted === undefined;
  useEffect(() => {
    if (!isMissing || room === null) return;
    messagesApi(chat().api.requests)
      .get(room.id, id)
      .then(
        (message) => room.addQuoted([message]),
        () => setGone(true),
      );
  }, [isMissing, room, id]);
  return { quoted, isGone };
}

import { useMemo } from 'react';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import styles from './LengthNotes.module.css';
import { splitMessage } from './split-message.ts';

/** A longer text than this many messages is not offered to be sent in parts. */
const MAX_PARTS = 10;

interface LengthNotesProps {
  readonly content: string;
  /** In characters. */
  readonly length: number;
  readonly counterId: string;
  readonly onSend: (messages: readonly string[]) => void;
}

/** How much of a long text still fits into one message. A longer one can be sent as several. */
export function LengthNotes({ content, length, counterId, onSend }: LengthNotesProps) {
  const { composing } = useScreenTexts();
  const { max } = MESSAGE_CONTENT;
  const over = length - max;
  const isOver = over > 0;
  return (
    <>
      {isOver && length <= MAX_PARTS * max && <SendParts content={content} onSend={onSend} />}
      <p id={counterId} className={styles.counter} data-over={isOver} data-testid="counter">
        {isOver ? composing.tooLong(over) : composing.counter(length, max)}
      </p>
    </>
  );
}

function SendParts({ content, onSend }: Pick<LengthNotesProps, 'content' | 'onSend'>) {
  const { composing } = useScreenTexts();
  const parts = useMemo(() => splitMessage(content, MESSAGE_CONTENT.max), [content]);
  if (parts.length === 0) return null;
  return (
    <button type="button" className={styles.parts} onClick={() => onSend(parts)}>
      {composing.sendParts(parts.length)}
    </button>
  );
}

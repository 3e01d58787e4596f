import { useEffect, useState } from 'react';
import type { Change, Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { isOwnReaction, knowOwnReactions, useOwnReactions } from '../../stores/own-reactions.ts';
import { PinIcon } from '../../ui/late-icons.tsx';
import { EditConflict } from './EditConflict.tsx';
import styles from './MessageFoot.module.css';
import { ReactionChip } from './ReactionChip.tsx';
import { ThreadLine } from './ThreadLine.tsx';

interface MessageFootProps {
  /** As it is shown, with the changes that wait. */
  readonly message: Message;
  readonly changes: readonly Change[];
  /** Whether its message is the Tab stop. */
  readonly active: boolean;
  /** The message was shown before without it. */
  readonly isNew: boolean;
}

/** What stands under the text of a message: that it is pinned, the reactions, and an edit that met another. */
export function MessageFoot({ message, changes, active, isNew }: MessageFootProps) {
  const isLater = useLater(isNew);
  const { message: texts } = useScreenTexts();
  const own = useOwnReactions();
  useEffect(() => knowOwnReactions(message), [message]);
  const conflict = changes.find((change) => change.conflict !== null);
  return (
    <>
      {conflict !== undefined && <EditConflict message={message} change={conflict} active={active} />}
      {(message.reactions ?? []).length + (message.pinned_at === undefined ? 0 : 1) > 0 && (
        <div className={styles.row} data-testid="message-foot">
          {message.pinned_at !== undefined && (
            <span className={styles.pinned}>
              <PinIcon size={14} />
              {texts.pinned}
            </span>
          )}
          {message.reactions?.map((reaction) => (
            <ReactionChip
              key={reaction.emoji}
              message={message}
              reaction={reaction}
              isOwn={isOwnReaction(own, message.id, reaction)}
              active={active}
              isNew={isLater}
            />
          ))}
        </div>
      )}
      {message.thread !== undefined && message.thread.replies > 0 && (
        <ThreadLine message={message} active={active} />
      )}
    </>
  );
}

/** False while what is there at first is rendered, unless that is new itself. */
function useLater(isNew: boolean): boolean {
  const [isLater, setLater] = useState(isNew);
  useEffect(() => setLater(true), []);
  return isLater;
}

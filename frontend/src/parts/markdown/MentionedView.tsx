import { useMemo } from 'react';
import type { Message } from '../../../../client/index.ts';
import type { Markdown } from '../../../../protocol/markdown/parse.ts';
import { nameKey } from '../../../../protocol/text.ts';
import { chat } from '../../stores/chat.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { usePeople } from '../../stores/people.ts';
import { MarkdownView } from './MarkdownView.tsx';
import styles from './MentionedView.module.css';
import { type MakeMention, markMentions } from './mark-mentions.ts';

interface MentionedViewProps {
  readonly blocks: Markdown;
  readonly message: Message;
}

/** A parsed message in which people, or the whole room, are mentioned. */
export function MentionedView({ blocks, message }: MentionedViewProps) {
  const profiles = usePeople((store) => store.profiles);
  const me = chat().user;
  const marked = useMemo(() => {
    const idByKey = new Map<string, number>();
    for (const id of message.mentions ?? []) {
      const username = id === me?.id ? me.username : profiles.get(id)?.username;
      if (username !== undefined) idByKey.set(nameKey(username), id);
    }
    const make: MakeMention = ({ text, userId, key }) =>
      userId === null ? (
        <span key={key} className={styles.mention} data-me>
          {text}
        </span>
      ) : (
        <button
          key={key}
          type="button"
          className={styles.mention}
          data-me={userId === me?.id || undefined}
          tabIndex={-1}
          onClick={({ currentTarget: anchor }) =>
            useDialogs.getState().show({ kind: 'profile', userId, anchor })
          }
        >
          {text}
        </button>
      );
    return markMentions(blocks, { idByKey, isRoom: message.mention_room !== undefined }, make);
  }, [blocks, message, profiles, me]);
  return <MarkdownView blocks={marked} />;
}

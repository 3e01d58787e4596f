import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { mayMention } from '../../../../protocol/mentions.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { usePeople } from '../../stores/people.ts';
import { useRoom } from '../../stores/room.ts';
import { IconButton } from '../../ui/Button.tsx';
import { AtIcon, FormatIcon } from '../../ui/late-icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { CallQuestion } from './CallQuestion.tsx';
import styles from './Composer.module.css';
import { ComposerFiles, takeFiles } from './ComposerFiles.tsx';
import { type Call, type CallFacts, callOf, isLoud } from './calls.ts';
import { EmojiButton } from './EmojiButton.tsx';
import { applyEdit, editByKey } from './edit-by-key.ts';
import { FormatStrip } from './FormatStrip.tsx';
import { MentionNotes } from './MentionNotes.tsx';
import { useOpenQuery } from './use-open-query.ts';

export interface ComposerAidsHandle {
  /** Asks before these messages are sent; true: it does, and `send` is called once the user agrees. */
  asks(messages: readonly string[], send: () => void): boolean;
  /** Edits the text where the key means an edit. */
  edit(event: KeyboardEvent<HTMLTextAreaElement>): void;
  /** The files that go with the next message. */
  takeFiles(): readonly OutboxFile[] | undefined;
}

interface ComposerAidsProps {
  readonly ref: Ref<ComposerAidsHandle>;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly content: string;
  readonly flow: 'room' | 'thread';
  /** The key of the draft. */
  readonly place: string;
  readonly roomId: number;
  readonly userId: number;
  /** Told whether there are files to send. */
  readonly onFiles: (has: boolean) => void;
}

const Completion = lazyPart(async () => (await import('./Completion.tsx')).Completion);

/** What helps one to write. The field works without it until it has loaded. */
export function ComposerAids({ ref, field, content, roomId, userId, ...files }: ComposerAidsProps) {
  const { composing } = useScreenTexts();
  const isMarked = useSelection(field);
  const { query, dismiss } = useOpenQuery(field);
  const facts = useCallFacts(roomId, userId);
  const [isFormatting, setFormatting] = useState(false);
  const [question, setQuestion] = useState<{ call: Call; send: () => void } | null>(null);

  useImperativeHandle(
    ref,
    () => ({
      asks: (messages, send) => {
        const call = facts === null ? null : callOf(messages, facts);
        if (!isLoud(call)) return false;
        setQuestion({ call, send });
        return true;
      },
      edit: editByKey,
      takeFiles: () => takeFiles(files.place),
    }),
    [facts, files.place],
  );

  return (
    <>
      {query !== null && (
        <Completion field={field} query={query} roomId={roomId} userId={userId} onDismiss={dismiss} />
      )}
      {facts !== null && mayMention(content) && <MentionNotes text={content} roomId={roomId} facts={facts} />}
      {question !== null && (
        <CallQuestion {...question} onSend={question.send} onClose={() => setQuestion(null)} />
      )}
      <ComposerFiles roomId={roomId} field={field} {...files} />
      <div className={styles.tools}>
        <EmojiButton field={field} />
        <IconButton
          label={composing.mention}
          className={styles.roomy}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => beginMention(field.current)}
        >
          <AtIcon />
        </IconButton>
        <IconButton
          label={composing.formatting}
          className={styles.roomy}
          aria-expanded={isFormatting}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => setFormatting(!isFormatting)}
        >
          <FormatIcon />
        </IconButton>
        {(isFormatting || isMarked) && <FormatStrip field={field} isFloating={!isFormatting} />}
      </div>
    </>
  );
}

/** Begins a mention where the caret is. What it may complete comes up as after the key. */
function beginMention(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.focus();
  const { selectionStart: start, selectionEnd: end, value } = field;
  const insert = /\S/.test(value.charAt(start - 1)) ? ' @' : '@';
  const caret = start + insert.length;
  applyEdit(field, { start, end, insert, select: { start: caret, end: caret } });
}

/** What a call of the room depends on; null while the room is not on the user's list. */
function useCallFacts(roomId: number, userId: number): CallFacts | null {
  const own = useOwnRooms((store) => store.rooms.get(roomId));
  const online = useRoom(({ state }) => state?.online ?? 0);
  const isAdmin = usePeople(({ profiles }) => profiles.get(userId)?.role === 'admin');
  if (own === undefined) return null;
  return { room: own.room, role: own.me.role, isAdmin, online };
}

/** Whether a part of the text is selected, until the focus leaves the composer. */
function useSelection(field: RefObject<HTMLTextAreaElement | null>): boolean {
  const [isMarked, setMarked] = useState(false);
  useEffect(() => {
    const element = field.current;
    const form = element?.form;
    if (!element || !form) return;
    const onSelect = () => setMarked(element.selectionStart !== element.selectionEnd);
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (!form.contains(relatedTarget as Node | null)) setMarked(false);
    };
    document.addEventListener('selectionchange', onSelect);
    form.addEventListener('focusout', onFocusOut);
    return () => {
      document.removeEventListener('selectionchange', onSelect);
      form.removeEventListener('focusout', onFocusOut);
    };
  }, [field]);
  return isMarked;
}

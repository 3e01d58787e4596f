import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
} from 'react';
import type { Room, Typist } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { useText } from '../../i18n/catalogue.ts';
import { lazyPart } from '../../shell/lazy-part.tsx';
import { takeAnswered, useAnswering } from '../../stores/answering.ts';
import { draftKey } from '../../stores/device.ts';
import { saveDraft } from '../../stores/drafts.ts';
import { UpIcon } from '../../ui/icons.tsx';
import { isTouch } from '../../ui/use-media.ts';
import { roomParts } from '../load-parts.ts';
import styles from './Composer.module.css';
import type { SendGuard } from './ComposerAids.tsx';
import { editByKey, isComposing, pageStep, sends } from './composer-keys.ts';
import { TypingLine } from './TypingLine.tsx';
import { useDraft } from './use-draft.ts';
import { useTypingSignal } from './use-typing-signal.ts';

export interface ComposerHandle {
  /** Puts a text before the draft, to edit it. */
  edit(content: string): void;
  focus(): void;
}

interface ComposerProps {
  readonly ref: Ref<ComposerHandle>;
  readonly room: Room;
  readonly roomId: number;
  readonly roomName: string;
  readonly userId: number;
  readonly typing: readonly Typist[];
  /** A page key scrolls the messages: back (-1) or on (1). */
  readonly onPage: (step: -1 | 1) => void;
}

const ComposerAids = lazyPart(
  async () => (await roomParts()).ComposerAids,
  () => null,
);
const ReplyBar = lazyPart(async () => (await roomParts()).ReplyBar);
const SendParts = lazyPart(async () => (await roomParts()).SendParts);

/** The counter is shown from this length on. */
const COUNT_FROM = MESSAGE_CONTENT.max * 0.8;
/** A longer text than this many messages is not offered to be sent in parts. */
const MAX_PARTS = 10;

/** Where the user writes. It takes text whatever the connection; what is not sent is kept as a draft. */
export function Composer({ ref, room, roomId, roomName, userId, typing, onPage }: ComposerProps) {
  const text = useText();
  const [content, change] = useDraft(draftKey(userId, roomId), (next) => saveDraft(userId, roomId, next));
  const counterId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const guard = useRef<SendGuard>(null);
  const signalTyping = useTypingSignal(room);
  const isAnswering = useAnswering(({ message }) => message?.room_id === roomId);
  const length = codePointLength(content);
  const over = length - MESSAGE_CONTENT.max;
  const isSplit = over > 0 && length <= MAX_PARTS * MESSAGE_CONTENT.max;

  useEffect(() => {
    // On a touch screen this would raise the keyboard over the messages.
    if (!isTouch()) field.current?.focus();
  }, []);

  useImperativeHandle(ref, () => ({
    edit: (taken) => {
      change(content === '' ? taken : `${taken}\n${content}`);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));

  function send(messages: readonly string[]): void {
    if (messages.length === 0 || guard.current?.(messages, () => post(messages))) return;
    post(messages);
  }

  function post(messages: readonly string[]): void {
    let replyTo = takeAnswered(roomId);
    for (const message of messages) {
      void room.send(message, { replyTo });
      replyTo = undefined;
    }
    signalTyping.sent();
    change('');
    field.current?.focus();
  }

  function submit(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    send(isMessageContent(content) ? [content] : []);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    const step = pageStep(event);
    if (step !== null) {
      event.preventDefault();
      onPage(step);
    } else if (sends(event) && !isTouch()) {
      submit(event);
    } else {
      editByKey(event);
    }
  }

  return (
    <div className={styles.place}>
      {isAnswering && <ReplyBar roomId={roomId} />}
      <form className={styles.box} onSubmit={submit} data-over={over > 0}>
        <div className={styles.grow} data-content={content}>
          <textarea
            ref={field}
            className={styles.field}
            rows={1}
            value={content}
            aria-label={text.composer.label}
            placeholder={text.composer.placeholder(roomName)}
            dir="auto"
            aria-invalid={over > 0}
            aria-describedby={over > 0 ? counterId : undefined}
            enterKeyHint={isTouch() ? 'enter' : 'send'}
            onChange={(event) => {
              change(event.target.value);
              signalTyping.typed(event.target.value !== '');
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <ComposerAids
          field={field}
          guard={guard}
          content={content}
          roomId={roomId}
          userId={userId}
          isPhone={isTouch()}
        />
        <button
          type="submit"
          className={styles.send}
          aria-label={text.composer.send}
          aria-disabled={!isMessageContent(content)}
          // A tap here leaves the focus in the field, and a phone's keyboard open.
          onPointerDown={(event) => event.preventDefault()}
        >
          <UpIcon />
        </button>
      </form>
      <div className={styles.foot}>
        <TypingLine typing={typing} />
        {/* Announced once, as the limit is crossed. The counter changes with every key and is silent. */}
        <p className="visually-hidden" role="status" data-testid="over-limit">
          {over > 0 && text.composer.overLimit(MESSAGE_CONTENT.max)}
        </p>
        {isSplit && <SendParts content={content} className={styles.parts} onSend={send} />}
        {length >= COUNT_FROM && (
          <p id={counterId} className={styles.counter} data-over={over > 0} data-testid="counter">
            {over > 0 ? text.composer.tooLong(over) : text.composer.counter(length, MESSAGE_CONTENT.max)}
          </p>
        )}
      </div>
    </div>
  );
}

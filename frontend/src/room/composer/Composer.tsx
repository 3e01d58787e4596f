import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { Room, Typist } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { useText } from '../../i18n/catalogue.ts';
import { lazyPart } from '../../shell/lazy-part.tsx';
import { UpIcon } from '../../ui/icons.tsx';
import { isTouch } from '../../ui/use-media.ts';
import styles from './Composer.module.css';
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

const FormatStrip = lazyPart(async () => (await import('./FormatStrip.tsx')).FormatStrip);
const SendParts = lazyPart(async () => (await import('./SendParts.tsx')).SendParts);

/** The counter is shown from this length on. */
const COUNT_FROM = MESSAGE_CONTENT.max * 0.8;
/** A longer text than this many messages is not offered to be sent in parts. */
const MAX_PARTS = 10;

/** Where the user writes. It takes text whatever the connection; what is not sent is kept as a draft. */
export function Composer({ ref, room, roomId, roomName, userId, typing, onPage }: ComposerProps) {
  const text = useText();
  const [content, change] = useDraft(userId, roomId);
  const counterId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isMarked, setMarked] = useState(false);
  const isPhone = isTouch();
  const signalTyping = useTypingSignal(room);
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
    if (messages.length === 0) return;
    for (const message of messages) void room.send(message);
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
      <form
        className={styles.box}
        onSubmit={submit}
        data-over={over > 0}
        onBlur={({ currentTarget, relatedTarget }) =>
          !currentTarget.contains(relatedTarget) && setMarked(false)
        }
      >
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
            onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
              setMarked(selectionStart !== selectionEnd)
            }
          />
        </div>
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
        {(isPhone || isMarked) && (
          <div className={isPhone ? styles.bar : undefined}>
            <FormatStrip field={field} isBar={isPhone} />
          </div>
        )}
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

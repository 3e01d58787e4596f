import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { MESSAGE_CONTENT } from '../../../../protocol/limits.ts';
import { codePointLength, isMessageContent } from '../../../../protocol/text.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isTouch } from '../../stores/use-media.ts';
import { grown } from '../../ui/grown.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import styles from './Composer.module.css';
import type { ComposerAidsHandle } from './ComposerAids.tsx';
import { isComposing, pageStep, sends } from './composer-keys.ts';
import { SendButton } from './SendButton.tsx';
import { useDraft } from './use-draft.ts';

export interface ComposerHandle {
  /** Puts a text before the draft, to edit it. */
  edit(content: string): void;
  focus(): void;
}

interface ComposerBoxProps {
  readonly ref: Ref<ComposerHandle>;
  /** Where the texts go. */
  readonly flow: 'room' | 'thread';
  readonly roomId: number;
  readonly userId: number;
  readonly label: string;
  readonly placeholder: string;
  /** The key on the device under which the draft is kept. */
  readonly draftKey: string;
  /** Takes the focus when it is first shown. */
  readonly takesFocus: boolean;
  /** Sends the texts, in order, the first with the files: its text may be empty. The draft is cleared after it. */
  readonly onSend: (messages: readonly string[], files: readonly OutboxFile[] | undefined) => void;
  /** A key of the user has changed the text. */
  readonly onType?: (content: string) => void;
  /** The draft has changed, by whatever means. */
  readonly onDraft?: (content: string) => void;
  /** A page key scrolls the messages: back (-1) or on (1). */
  readonly onPage: (step: -1 | 1) => void;
  /** Stands above the text. */
  readonly above?: ReactNode;
  /** Stands below it. */
  readonly below: ReactNode;
}

const ComposerAids = lazyPart(
  async () => (await roomParts()).ComposerAids,
  () => null,
);
const MentionMirror = lazyPart(
  async () => (await roomParts()).MentionMirror,
  () => null,
);
const LengthNotes = lazyPart(async () => (await roomParts()).LengthNotes);

/** The browser takes the end of the text for it. */
const MAX_PLACE = 2 ** 31 - 1;

/** From this length on the user is told how long the text is. */
const COUNT_FROM = MESSAGE_CONTENT.max * 0.8;

/** Where the user writes, in a room or a thread. It takes text whatever the connection, and keeps it as a draft. */
export function ComposerBox({ ref, flow, roomId, userId, draftKey, ...props }: ComposerBoxProps) {
  const { label, placeholder, takesFocus, onSend, onType, onDraft, onPage, above, below } = props;
  const text = useText();
  const [content, change] = useDraft(draftKey, onDraft);
  const counterId = useId();
  const field = useComposerField({ ref, takesFocus, content, change });
  const aids = useRef<ComposerAidsHandle>(null);
  const length = useMemo(() => codePointLength(content), [content]);
  const isOver = length > MESSAGE_CONTENT.max;
  const [hasFiles, setHasFiles] = useState(false);
  const isReady = isMessageContent(content) || (hasFiles && content.trim() === '');

  function send(messages: readonly string[]): void {
    if (messages.length === 0 || aids.current?.asks(messages, () => post(messages))) return;
    post(messages);
  }

  function post(messages: readonly string[]): void {
    onSend(messages, aids.current?.takeFiles());
    change('');
    field.current?.focus();
  }

  function submit(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    send(isReady ? [isMessageContent(content) ? content : ''] : []);
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
      aids.current?.edit(event);
    }
  }

  return (
    <div className={styles.place} data-flow={flow}>
      {above}
      <form className={styles.box} onSubmit={submit} data-over={isOver}>
        <div className={styles.grow} data-content={grown(content)}>
          <textarea
            ref={field}
            className={styles.field}
            rows={1}
            value={content}
            aria-label={label}
            placeholder={placeholder}
            dir="auto"
            aria-invalid={isOver}
            aria-describedby={isOver ? counterId : undefined}
            enterKeyHint={isTouch() ? 'enter' : 'send'}
            data-composer={flow}
            onChange={({ target }) => {
              change(target.value);
              onType?.(target.value);
            }}
            onKeyDown={onKeyDown}
          />
          {/[@＠]/.test(content) && <MentionMirror field={field} content={content} roomId={roomId} />}
        </div>
        <ComposerAids
          ref={aids}
          {...{ field, content, flow, roomId, userId }}
          place={draftKey}
          onFiles={setHasFiles}
        />
        <SendButton isReady={isReady} />
      </form>
      <div className={styles.foot} data-counting={length >= COUNT_FROM}>
        {below}
        {/* Announced once, as the limit is crossed. The counter changes with every key and is silent. */}
        <p className="visually-hidden" role="status" data-testid="over-limit">
          {isOver && text.composer.overLimit(MESSAGE_CONTENT.max)}
        </p>
        {length >= COUNT_FROM && (
          <LengthNotes content={content} length={length} counterId={counterId} onSend={send} />
        )}
      </div>
    </div>
  );
}

interface ComposerFieldOptions {
  readonly ref: Ref<ComposerHandle>;
  readonly takesFocus: boolean;
  readonly content: string;
  readonly change: (content: string) => void;
}

/** The field, with its caret and its focus where the user goes on writing. */
function useComposerField({ ref, takesFocus, content, change }: ComposerFieldOptions) {
  const field = useRef<HTMLTextAreaElement>(null);

  useLayoutEffect(() => {
    // One goes on where the draft ends.
    field.current?.setSelectionRange(MAX_PLACE, MAX_PLACE);
  }, []);

  useEffect(() => {
    // On a touch screen this would raise the keyboard over the messages.
    if (takesFocus && !isTouch()) field.current?.focus();
  }, [takesFocus]);

  useImperativeHandle(ref, () => ({
    edit: (taken) => {
      change(content === '' ? taken : `${taken}\n${content}`);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));

  return field;
}

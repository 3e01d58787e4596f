import type { Ref } from 'react';
import type { OutboxFile, Room, Typist } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { takeAnswered, useAnswering } from '../../stores/answering.ts';
import { draftKey } from '../../stores/device.ts';
import { markDraft } from '../../stores/drafts.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import { ComposerBox, type ComposerHandle } from './ComposerBox.tsx';
import { TypingLine } from './TypingLine.tsx';
import { useTypingSignal } from './use-typing-signal.ts';

interface ComposerProps {
  readonly ref: Ref<ComposerHandle>;
  readonly room: Room;
  readonly roomId: number;
  readonly roomName: string;
  readonly userId: number;
  readonly typing: readonly Typist[];
  /** Takes the focus when it is first shown. */
  readonly takesFocus: boolean;
  /** A page key scrolls the messages: back (-1) or on (1). */
  readonly onPage: (step: -1 | 1) => void;
}

const ReplyBar = lazyPart(async () => (await roomParts()).ReplyBar);

/** Where a text for the main flow of a room is written. */
export function Composer({ ref, room, roomId, roomName, userId, typing, takesFocus, onPage }: ComposerProps) {
  const text = useText();
  const signalTyping = useTypingSignal(room);
  const isAnswering = useAnswering(({ message }) => message?.room_id === roomId);

  function send([first = '', ...others]: readonly string[], files?: readonly OutboxFile[]): void {
    void room.send(first, { replyTo: takeAnswered(roomId), files });
    for (const message of others) void room.send(message);
    signalTyping.sent();
  }

  return (
    <ComposerBox
      ref={ref}
      flow="room"
      roomId={roomId}
      userId={userId}
      label={text.composer.label}
      placeholder={text.composer.placeholder(roomName)}
      draftKey={draftKey(userId, roomId)}
      takesFocus={takesFocus}
      onSend={send}
      onType={(content) => signalTyping.typed(content !== '')}
      onDraft={(content) => markDraft(roomId, content !== '')}
      onPage={onPage}
      above={isAnswering && <ReplyBar roomId={roomId} />}
      below={<TypingLine typing={typing} />}
    />
  );
}

/** What can be done with a message: from its bar, its menu, and by keys. */
import type { Message, Wanted } from '../../../../client/index.ts';
import { useLanguage } from '../../i18n/catalogue.ts';
import { screenTexts } from '../../i18n/screens.ts';
import { useAnswering } from '../../stores/answering.ts';
import { changesOf, useChanges } from '../../stores/changes.ts';
import { chat } from '../../stores/chat.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { isOwnReaction, rememberReaction, useOwnReactions } from '../../stores/own-reactions.ts';
import { keepUnread, useOwnRooms } from '../../stores/own-rooms.ts';
import { useRooms } from '../../stores/rooms.ts';
import { messagePath, showThread } from '../../stores/route.ts';
import { isSaved, rememberSaved, useSaved } from '../../stores/saved.ts';
import { showToast } from '../../stores/toasts.ts';
import { copyText } from '../../ui/copy-text.ts';
import { knownMutedWords, mutedUntil } from '../muted-words.ts';
import { startEdit } from './edit-draft.ts';
import { showMessageMenu } from './message-menu-store.ts';

export type Command =
  | 'react'
  | 'reply'
  | 'thread'
  | 'edit'
  | 'pin'
  | 'save'
  | 'copy_text'
  | 'copy_link'
  | 'unread'
  | 'why'
  | 'profile'
  | 'report'
  | 'moderate'
  | 'delete';

/** In the order of the menu, each with its key on a message that has the focus. */
export const COMMANDS: readonly { readonly command: Command; readonly key: string | null }[] = [
  { command: 'react', key: '+' },
  { command: 'reply', key: 'R' },
  { command: 'thread', key: 'T' },
  { command: 'edit', key: 'E' },
  { command: 'pin', key: 'P' },
  { command: 'save', key: 'S' },
  { command: 'unread', key: 'U' },
  { command: 'copy_text', key: 'C' },
  { command: 'copy_link', key: 'L' },
  { command: 'profile', key: null },
  { command: 'why', key: null },
  { command: 'report', key: null },
  { command: 'moderate', key: null },
  { command: 'delete', key: 'Del' },
];

/** The time in which a deletion can be taken back. */
const UNDO_MS = 6000;

/** Whether the user may do it. The server decides; this leaves out what it would refuse. */
export function may(command: Command, message: Message): boolean {
  const own = useOwnRooms.getState().rooms.get(message.room_id);
  const room = own?.room ?? useRooms.getState().rooms.find(({ id }) => id === message.room_id);
  const isOwn = message.user_id === chat().user?.id;
  const isModerator = room?.kind !== 'dm' && own !== undefined && own.me.role !== 'member';
  const isArchived = room?.archived === true;
  const isOpen = !isArchived && mutedUntil(message.room_id) === null;
  // A deleted root keeps its thread.
  if (isGone(message) && command !== 'thread') return command === 'copy_link' || command === 'profile';
  switch (command) {
    case 'reply':
      return isOpen && message.thread_id === undefined;
    case 'thread':
      return (
        message.thread_id === undefined && (message.thread !== undefined || (isOpen && !isGone(message)))
      );
    case 'react':
      // Where the user is muted, it says why not.
      return !isArchived;
    case 'edit':
      return isOwn && isOpen;
    case 'pin':
      return own !== undefined && !isArchived && (room?.settings?.pin !== 'moderator' || isModerator);
    case 'unread':
      return own !== undefined;
    case 'why':
      return own !== undefined && !isOwn;
    case 'report':
      return !isOwn;
    case 'moderate':
      return !isOwn && isModerator;
    case 'delete':
      return isOwn || isModerator;
    default:
      return true;
  }
}

/** `anchor`: what was pressed, for what opens beside it. */
export function carryOut(command: Command, message: Message, anchor: HTMLElement | null): void {
  switch (command) {
    case 'react':
      if (refusesMuted(message)) return;
      return showMessageMenu({ message, anchor, view: 'emoji' });
    case 'reply':
      return useAnswering.setState({ message });
    case 'thread':
      return showThread(message.room_id, message.id);
    case 'edit':
      return startEdit(message.id);
    case 'pin':
      return make(message, { kind: 'pin', on: shown(message).pinned_at === undefined });
    case 'save':
      return save(message);
    case 'copy_text':
      return void copy(shown(message).content, screenTexts().message.textCopied);
    case 'copy_link': {
      const link = new URL(messagePath(message.room_id, message.id), window.location.origin).href;
      return void copy(link, screenTexts().message.linkCopied);
    }
    case 'unread':
      keepUnread(message.room_id, message.seq - 1);
      return showToast(screenTexts().message.markedUnread);
    case 'why': {
      const { room_id: roomId, id: messageId } = message;
      return useDialogs.getState().show({ kind: 'why', roomId, messageId });
    }
    case 'profile':
      return useDialogs.getState().show({
        kind: 'profile',
        userId: message.user_id,
        anchor: anchor?.closest('[data-row]') ?? null,
      });
    case 'report':
      return useDialogs.getState().show({ kind: 'report', roomId: message.room_id, messageId: message.id });
    case 'moderate': {
      const { room_id: roomId, user_id: userId, username } = message;
      return useDialogs.getState().show({ kind: 'moderate', roomId, userId, username });
    }
    case 'delete':
      return remove(message);
  }
}

/** Reacts with an emoji, or takes that back. */
export function toggleReaction(message: Message, emoji: string): void {
  const there = shown(message).reactions?.find((one) => one.emoji === emoji);
  setReaction(message, emoji, !(there && isOwnReaction(useOwnReactions.getState(), message.id, there)));
}

/** Reacts with an emoji that was picked. */
export function react(message: Message, emoji: string): void {
  setReaction(message, emoji, true);
}

/** Tells somebody who is muted in the message's room so. */
function refusesMuted({ room_id: roomId }: Message): boolean {
  const until = mutedUntil(roomId);
  if (until !== null)
    showToast(knownMutedWords(useLanguage.getState().text, screenTexts().bar, roomId, until));
  return until !== null;
}

function setReaction(message: Message, emoji: string, on: boolean): void {
  if (refusesMuted(message)) return;
  rememberReaction(message.id, emoji, on);
  make(message, { kind: 'reaction', emoji, on });
}

/** The message with the changes that wait for the server. */
export function shown(message: Message): Message {
  return changesOf(useChanges.getState(), message.id).apply(message);
}

function isGone(message: Message): boolean {
  const { list } = changesOf(useChanges.getState(), message.id);
  return message.deleted_at !== undefined || list.some(({ wanted }) => wanted.kind === 'delete');
}

function make(message: Message, wanted: Wanted): void {
  useChanges.getState().changes?.make(message.room_id, message.id, wanted);
}

function save(message: Message): void {
  if (isSaved(useSaved.getState().ids, changesOf(useChanges.getState(), message.id), message.id))
    return unsave(message);
  keep(message);
  showToast(screenTexts().message.saved);
}

/** Saves the message. Without `note`, it has the one again that it had before it was removed. */
function keep(message: Message, note?: string): void {
  make(message, { kind: 'saved', on: true, ...(note !== undefined && { note }) });
  rememberSaved(message.id, true);
}

interface Unsaving {
  /** As shown: the server may not have it yet. */
  readonly note?: string;
  readonly onUndone?: () => void;
}

/** Removes the message from what is saved, with an offer to undo that. */
export function unsave(message: Message, { note, onUndone }: Unsaving = {}): void {
  make(message, { kind: 'saved', on: false });
  rememberSaved(message.id, false);
  const { message: texts } = screenTexts();
  const undo = () => {
    keep(message, note);
    onUndone?.();
  };
  showToast(texts.unsaved, { label: texts.undo, run: undo }, UNDO_MS);
}

function remove(message: Message): void {
  const { changes } = useChanges.getState();
  const made = changes?.make(message.room_id, message.id, { kind: 'delete' }, { delayMs: UNDO_MS });
  if (made === undefined) return;
  const { message: texts } = screenTexts();
  showToast(texts.deleted, { label: texts.undo, run: () => changes?.discard(made.key) }, UNDO_MS);
}

async function copy(text: string, done: string): Promise<void> {
  showToast((await copyText(text)) ? done : screenTexts().message.notCopied);
}

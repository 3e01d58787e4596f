/** The texts of messages and threads, in English. They are loaded with the screens. */
import { namesEn } from './names-en.ts';
import { countEn, many } from './numbers.ts';

export const messagesEn = {
  thread: {
    title: 'Thread',
    answers: 'In reply to',
    replyingTo: 'Replying to',
    cancelReply: 'Cancel the reply',
    quoteMissing: 'The original is not available.',
    quoteDeleted: 'This message was deleted.',
    quoteBlocked: 'A message of somebody you blocked',
    replies: (n: number): string => many(n, 'reply', 'replies'),
    new: (n: number): string => `${countEn.format(n)} new`,
    resolved: 'Resolved',
    resolve: 'Resolve',
    people: (n: number): string => many(n, 'person', 'people'),
    follow: 'Follow',
    unfollow: 'Stop following',
    addTitle: 'Add a title',
    editTitle: 'Edit the title',
    titleLabel: 'Title of the thread',
    save: 'Save',
    older: 'Show earlier replies',
    composer: 'Reply in this thread',
    alsoInRoom: 'Also in the room',
    page: 'Threads',
    began: (who: string, room: string): string => `${who} began a thread in ${room}`,
    hint: 'The threads that you follow.',
    none: 'You follow no threads yet',
    noneHint: 'You follow a thread once you start or answer it, or choose Follow in it.',
    newThreads: (n: number): string => many(n, 'thread with new replies', 'threads with new replies'),
  },

  message: {
    actions: 'Message actions',
    more: 'More',
    undo: 'Undo',
    cancel: 'Cancel',
    save: 'Save',
    close: 'Close',
    you: 'You',
    commands: {
      react: 'Add reaction',
      reply: 'Reply',
      thread: 'Thread',
      edit: 'Edit',
      pin: 'Pin to room',
      unpin: 'Unpin',
      save: 'Save for later',
      unsave: 'Remove from saved',
      copy_text: 'Copy text',
      copy_link: 'Copy link',
      unread: 'Mark unread from here',
      why: 'Why was I notified, or not?',
      profile: 'Profile',
      report: 'Report to moderators',
      moderate: 'Mute or ban the author',
      delete: 'Delete',
    },
    reactWith: (emoji: string): string => `React with ${emoji}`,
    reaction: (emoji: string, n: number): string => `${emoji}, ${many(n, 'reaction', 'reactions')}`,
    count: (n: number): string => countEn.format(n),
    who: (names: readonly string[], others: number, emoji: string): string => {
      const all = others === 0 ? names : [...names, many(others, 'other', 'others')];
      return `${namesEn(all)} reacted with ${emoji}`;
    },
    pinned: 'Pinned',
    gone: 'This message was deleted',
    deleted: 'Message deleted',
    saved: 'Saved for later',
    unsaved: 'Removed from saved',
    textCopied: 'Text copied',
    linkCopied: 'Link copied',
    notCopied: "Couldn't copy.",
    markedUnread: 'Marked as unread from there',
    editing: 'Edit message',
    editingHint: 'Enter saves, Esc cancels',
    /** Why what is typed cannot be saved. */
    editStopped: {
      deleted: "This message was deleted meanwhile. Your text can't be saved, but you can copy it.",
      archived: "This room is archived. Your text can't be saved, but you can copy it.",
      muted: "You can't write here now. Your text can't be saved, but you can copy it.",
    },
    editEmpty: "A message can't be empty. You can delete it instead.",
    deleteThis: 'Delete message',
    conflict: 'This message was edited elsewhere meanwhile, as shown above. Your version:',
    keepMine: 'Use mine',
    keepTheirs: 'Keep the one above',
    revisions: 'Edits of this message',
    editedAt: (time: string): string => `Edited ${time}`,
    writtenAt: (time: string): string => `Written ${time}`,
  },

  pins: {
    title: 'Pinned messages',
    none: 'Nothing is pinned',
    noneHint: 'Pin what everyone should find again, from the menu of a message.',
  },

  savedPage: {
    title: 'Saved',
    lead: (who: string, room: string | null): string =>
      room === null ? `${who} wrote` : `${who} wrote in ${room}`,
    hint: 'Messages that you keep for later. Nobody else sees them.',
    none: 'Nothing saved yet',
    noneHint: 'Save a message from its menu.',
    take: 'Remove',
    note: 'Note',
    notePlaceholder: 'Only you see this',
    addNote: 'Add a note',
    editNote: 'Edit the note',
    saveNote: 'Save',
    noteTooLong: (max: number) => `A note has ${max} characters at most.`,
    more: 'Show more',
  },

  changes: {
    /** `kind`: what was to be changed. `code`: the message of the response, or `archived`. */
    refused: (kind: string, code: string): string => {
      const what =
        {
          edit: 'Your edit was not saved',
          delete: 'The message was not deleted',
          reaction: 'Your reaction was not saved',
          pin: 'The pin was not changed',
          saved: 'Your bookmark was not changed',
        }[kind] ?? 'That was not saved';
      if (code === 'archived') return `${what}: the room is archived.`;
      if (code === 'room not found') return `${what}: you may not see this room any more.`;
      if (code === 'payload_too_large') return 'Not sent: a file is too large.';
      if (code === 'no_space') return 'Not sent: the server has no space for a file.';
      if (code === 'too_many') return 'Not sent: too many of your files are waiting.';
      if (code === 'invalid_files') return 'Not sent: its files are not on the server any more.';
      if (code === 'unreadable' || code === 'choose_again')
        return "Not sent: this device doesn't have a file any more. Edit it, and choose the file again.";
      if (code === 'other_database') return `${what}: the server was restored since.`;
      if (code === 'not allowed') return `${what}: you may not do that here.`;
      if (code === 'limit reached') return `${what}: there are as many as there can be.`;
      if (/not found|changed/.test(code)) return `${what}: the message is gone.`;
      return `${what}: the server refused it.`;
    },
  },

  jump: {
    gone: 'This message is not here any more, or you may not see it.',
    toLatest: 'Show the latest messages',
    again: 'Try again',
    title: 'Jump to a date',
    date: 'Date',
    action: 'Jump',
    nothing: 'There are no messages in this room.',
  },

  blocked: {
    message: 'Message from somebody you have blocked',
    show: 'Show',
  },

  notSent: {
    /** `code`: the refusal, from the protocol's table of errors. */
    why: (code: string): string => {
      if (code === 'invalid_content') return 'Not sent: it is empty or too long.';
      if (code === 'room_not_found') return "Not sent: this room doesn't exist.";
      if (code === 'other_database') return 'Not sent: the server was restored since you wrote this.';
      return 'Not sent: the server refused it.';
    },
    retry: 'Retry',
    send: 'Send',
    edit: 'Edit',
    discard: 'Delete',
  },
};

export type MessageTexts = typeof messagesEn;

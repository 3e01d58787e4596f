/** The texts of files, in English. They are loaded when they are first used. */
import { countEn, many } from './numbers.ts';

export const filesEn = {
  files: {
    attach: 'Attach files',
    tray: 'Files to send',
    remove: (name: string): string => `Remove ${name}`,
    describe: (name: string): string => `Describe ${name}`,
    description: 'Description',
    descriptionHint: 'For people who cannot see it.',
    descriptionCount: (n: number, limit: number): string =>
      `${countEn.format(n)} of ${countEn.format(limit)} characters`,
    descriptionSave: 'Save',
    descriptionSaved: 'Description saved',
    descriptionRemoved: 'Description removed',
    descriptionAdd: 'Add a description',
    actions: (name: string): string => `Actions for ${name}`,
    describeFile: 'Description…',
    deleteFile: 'Delete file…',
    deleteTitle: (name: string): string => `Delete ${name}?`,
    deleteHint: "It is deleted for everybody, and the rest of the message stays. This can't be undone.",
    deleteLast: "The message has nothing else, so it is deleted, too. This can't be undone.",
    deleteUnknown:
      "It is deleted for everybody. A message that has nothing else is deleted with it. This can't be undone.",
    deleteConfirm: 'Delete file',
    deletedFile: 'File deleted',
    deletedWithMessage: 'File and message deleted',
    retry: 'Try again',
    chooseAgain: 'Choose again',
    uploading: (percent: number): string => `${countEn.format(percent)} %`,
    ready: 'Ready to send',
    sending: (percent: number): string => `Uploading, ${countEn.format(percent)} %`,
    paused: (percent: number): string => `Resumes when you're back, ${countEn.format(percent)} %`,
    refusal: (code: string): string => {
      if (code === 'payload_too_large') return 'Too large';
      if (code === 'no_space') return 'The server has no space for it';
      if (code === 'too_many') return 'You have too many files waiting';
      if (code === 'not_allowed') return "This room doesn't take files from you";
      if (code === 'room_not_found') return 'This room is gone';
      if (code === 'unreadable') return "This device can't read it any more";
      if (code === 'choose_again') return 'Choose it again';
      if (code === 'malware') return 'Removed: the virus scanner found malware';
      if (code === 'broken') return "Removed: the server can't read it";
      if (code === 'not_checked') return "Removed: it couldn't be checked";
      return 'The server refused it';
    },
    tooLarge: (name: string, limit: string): string => `${name} is too large. The limit is ${limit}.`,
    tooMany: (limit: number): string =>
      `A message can have ${many(limit, 'file', 'files')}. The others were left out.`,
    empty: (name: string): string => `${name} is empty.`,
    noPlace: "You can't send files here.",
    off: 'This server takes no files.',
    folder: (n: number): string => `Send its ${many(n, 'file', 'files')}?`,
    folderHint: (name: string): string => `${name} is a folder.`,
    folderSend: 'Add files',
    folderEmpty: (name: string): string => `${name} has no files.`,
    drop: (room: string): string => `Drop files to send them to ${room}`,
    dropThread: 'Drop files to send them to this thread',
    dropHint: 'They are not sent before you press Send.',

    picture: 'Picture',
    pictureOf: (name: string): string => `Picture: ${name}`,
    more: (n: number): string => `+${countEn.format(n)}`,
    open: (what: string): string => `Open ${what}`,
    download: 'Download',
    downloadOf: (name: string): string => `Download ${name}`,
    checking: 'Being checked…',
    refused: {
      malware: 'Removed: the virus scanner found malware',
      unreadable: "Removed: it couldn't be read",
      not_checked: "Removed: it couldn't be checked",
    },
    refusedBefore: 'This file was removed: it did not pass the check.',
    gone: "This file can't be loaded.",
    kinds: { image: 'Picture', video: 'Video', audio: 'Sound', file: 'File' },

    viewer: 'Pictures',
    next: 'Next',
    previous: 'Previous',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    showInChat: 'Show in chat',
    position: (at: number, of: number): string => `${countEn.format(at)} of ${countEn.format(of)}`,

    /** What stands for a message without a text. */
    words: (n: number): string => (n === 1 ? 'A file' : many(n, 'file', 'files')),
    photos: (n: number): string => (n === 1 ? 'Photo' : many(n, 'photo', 'photos')),
    all: 'All',
    none: 'No files yet',
    noneHint: 'Files that people send in this room are listed here.',
    noneOfKind: 'None of this kind',
    noneOfKindHint: 'Choose “All” to see the other files.',
    filter: 'Kind of file',
    filters: { picture: 'Pictures', video: 'Videos', sound: 'Sounds', other: 'Others' },
    older: 'Show older',
  },

  /** What the links of a message lead to. */
  previews: {
    picture: 'Picture',
    actions: (host: string): string => `Actions for the preview of ${host}`,
    remove: (n: number): string =>
      n === 1 ? 'Remove preview…' : `Remove ${many(n, 'preview', 'previews')}…`,
    removeTitle: (n: number): string =>
      n === 1 ? 'Remove the preview?' : `Remove ${many(n, 'preview', 'previews')}?`,
    removeHint:
      "The message and its links stay. It gets no previews again, for anybody. This can't be undone.",
    removeConfirm: 'Remove',
    removed: (n: number): string => (n === 1 ? 'Preview removed' : 'Previews removed'),
  },
};

export type FileTexts = typeof filesEn;

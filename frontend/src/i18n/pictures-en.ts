/** The texts of pictures of people and of the server, in English. */
import { countEn } from './numbers.ts';

export const picturesEn = {
  pictures: {
    add: 'Add a picture',
    change: 'Change picture',
    remove: 'Remove',
    hint: 'You can also drop or paste one here.',
    saved: 'The picture is saved.',
    removed: 'The picture is removed.',
    crop: 'Choose the part that is shown',
    part: 'The part of the picture that is shown',
    cropHint: 'Drag the picture, or move it with the arrow keys.',
    zoom: 'Zoom',
    percent: (n: number): string => `${countEn.format(n)} %`,
    cancel: 'Cancel',
    use: 'Use picture',
    unreadable: "Your browser can't open this as a picture. Choose a JPEG, PNG or WebP.",
    refused: "The server can't use this picture. Choose another.",
  },
  ownEmoji: {
    title: 'Emoji',
    hint: 'Emoji of this server, for everybody. Write one as :name:, or pick it.',
    none: 'There are none yet.',
    by: (name: string): string => `added by ${name}`,
    name: 'Name',
    nameRule: '2 to 32 small letters, digits, - and _',
    badName:
      'A name has 2 to 32 small letters, digits, - and _, and begins and ends with a letter or a digit.',
    noPicture: 'Choose a picture first.',
    taken: 'There is an emoji of this name. Choose another name.',
    chosen: 'Now give it a name.',
    add: 'Add emoji',
    added: (code: string): string => `${code} is added.`,
    delete: 'Delete',
    deleteOne: (code: string): string => `Delete ${code}`,
    deleteThis: (code: string): string => `Delete ${code}?`,
    deleteHint: (code: string): string =>
      `Where it was used, ${code} stands as text. Somebody can add it again.`,
    keep: 'Keep it',
  },
};

export type PictureTexts = typeof picturesEn;

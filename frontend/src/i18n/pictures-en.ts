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
};

export type PictureTexts = typeof picturesEn;

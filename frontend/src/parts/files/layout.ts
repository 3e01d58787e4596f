/** How much space the files of a message take, known before anything of them has loaded: nothing moves later. */
import type { OutboxFile } from '../../../../client/index.ts';

export type FileKind = 'image' | 'video' | 'audio' | 'file';

/** What browsers show where it is; all else is downloaded. */
const SHOWN = /^(?:image\/(?:jpeg|png|gif|webp|avif)|video\/(?:mp4|webm)|audio\/(?:mpeg|mp4|ogg|wav|flac))$/;

export function kindOf({ type, state }: Pick<OutboxFile, 'type' | 'state'>): FileKind {
  return state !== 'refused' && SHOWN.test(type) ? (type.split('/')[0] as FileKind) : 'file';
}

/** A picture that has a place of its size. */
function isPicture(file: OutboxFile): boolean {
  return kindOf(file) === 'image' && file.width !== undefined && file.height !== undefined;
}

/** The files of a message that are shown together, and in the viewer. */
export function picturesOf(files: readonly OutboxFile[]): readonly OutboxFile[] {
  return files.filter(isPicture);
}

/** Files that stand together, and their space. */
export interface FileBlock {
  readonly kind: FileKind;
  readonly files: readonly OutboxFile[];
  readonly style: { readonly width?: number; readonly aspectRatio?: number; readonly height?: number };
}

const WIDTH = 440;
const HEIGHT = 330;
/** A picture that is narrower or smaller than this is shown within it. */
const LEAST = 96;
const CARD = { audio: 104, file: 58 };

/** The pictures of a message as one grid, then its other files, each in a line of its own. */
export function layoutOf(files: readonly OutboxFile[]): FileBlock[] {
  const pictures = picturesOf(files);
  const others = files.filter((file) => !isPicture(file));
  const grid = { kind: 'image' as const, files: pictures, style: gridOf(pictures) };
  return [
    ...(pictures.length > 0 ? [grid] : []),
    ...others.map((file) => {
      const kind = kindOf(file);
      const style = kind === 'video' ? boxOf(file) : { height: CARD[kind === 'audio' ? kind : 'file'] };
      return { kind: kind === 'image' ? 'file' : kind, files: [file], style };
    }),
  ];
}

function gridOf(pictures: readonly OutboxFile[]): FileBlock['style'] {
  const [first] = pictures;
  if (first !== undefined && pictures.length === 1) return boxOf(first);
  return { width: WIDTH, aspectRatio: pictures.length === 2 ? 2 : 4 / 3 };
}

function boxOf({ width = 16, height = 9 }: OutboxFile): FileBlock['style'] {
  const ratio = Math.min(4, Math.max(0.4, width / Math.max(1, height)));
  const most = width === 16 ? WIDTH : Math.max(LEAST, width, height * ratio);
  return { width: Math.round(Math.min(WIDTH, HEIGHT * ratio, most)), aspectRatio: ratio };
}

/** What shows files. It loads with the first file. */
export { FileBlock } from './FileBlock.tsx';
export { FileTray } from './FileTray.tsx';

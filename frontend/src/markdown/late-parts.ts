/** What the first message needs beyond its blocks. */
export { parseInline } from './inline.ts';
export { MentionedView } from './MentionedView.tsx';

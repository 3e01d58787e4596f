/** What shows a message. It loads beside the start. */
export { parseMarkdown } from '../../../../protocol/markdown/parse.ts';
export { MarkdownView } from './MarkdownView.tsx';
export { MentionedView } from './MentionedView.tsx';

/** What shows a message. It loads beside the start. */
import { parseMarkdown } from '../../../../protocol/markdown/parse.ts';
import { EmojiText } from '../emoji/EmojiText.tsx';
import { useLarge } from '../emoji/use-large.ts';
import { MarkdownView } from './MarkdownView.tsx';
import { MentionedView } from './MentionedView.tsx';

export const messageParts = { parseMarkdown, MarkdownView, MentionedView, EmojiText, useLarge };

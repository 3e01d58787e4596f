/** The parts of a message in which a mention counts: no code, no links, no quotes. */
import type { Inline } from './inline-tree.ts';
import type { Markdown, MarkdownBlock } from './parse.ts';

/** A run of text, and the character before it; empty at the beginning of a block. */
export interface PlainText {
  readonly text: string;
  readonly before: string;
}

/** No mention begins directly behind code or a link. */
const BEHIND_OTHER = '`';

/** The message with others in the place of its plain texts. */
export function replacePlainText<Extra>(
  blocks: Markdown,
  replace: (plain: PlainText) => readonly Inline<Extra>[],
): Markdown<Extra> {
  return blocks.map((block) => inBlock(block, replace));
}

function inBlock<Extra>(
  block: MarkdownBlock,
  replace: (plain: PlainText) => readonly Inline<Extra>[],
): MarkdownBlock<Extra> {
  switch (block.kind) {
    case 'text': {
      let before = '';
      const within = (parts: readonly Inline[]): readonly Inline<Extra>[] =>
        parts.flatMap((part): readonly Inline<Extra>[] => {
          switch (part.kind) {
            case 'text': {
              const replaced = replace({ text: part.text, before });
              before = part.text.slice(-1);
              return replaced;
            }
            case 'code':
            case 'link':
              before = BEHIND_OTHER;
              return [part];
            default:
              return [{ ...part, children: within(part.children) }];
          }
        });
      return { kind: 'text', parts: within(block.parts) };
    }
    case 'list': {
      const items = block.items.map((item) => ({ ...item, blocks: replacePlainText(item.blocks, replace) }));
      return { ...block, items };
    }
    case 'code':
    case 'quote':
      return block;
  }
}

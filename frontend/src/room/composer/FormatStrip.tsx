import type { ReactNode, RefObject } from 'react';
import { useFullTexts, useScreenTexts } from '../../i18n/screens.ts';
import { IconButton } from '../../ui/Button.tsx';
import { LinkIcon } from '../../ui/icons.tsx';
import { BoldIcon, CodeIcon, ItalicIcon, ListIcon } from '../../ui/late-icons.tsx';
import { applyEdit } from './edit-by-key.ts';
import styles from './FormatStrip.module.css';
import { makeLink, toggleList } from './format-edits.ts';
import { type Selection, type TextEdit, toggleMark } from './text-edits.ts';

interface FormatStripProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Above the box, rather than among its tools. */
  readonly isFloating: boolean;
}

type Edit = (text: string, selection: Selection) => TextEdit;

/** Marks the selected text of the composer: bold, italic, code, a link, a list. */
export function FormatStrip({ field, isFloating }: FormatStripProps) {
  const text = useFullTexts();
  const { composing } = useScreenTexts();

  function act(edit: Edit): void {
    const element = field.current;
    if (element === null) return;
    element.focus();
    applyEdit(element, edit(element.value, { start: element.selectionStart, end: element.selectionEnd }));
  }

  const marks: readonly (readonly [label: string, icon: ReactNode, edit: Edit])[] = [
    [text.help.bold, <BoldIcon key="bold" size={18} />, (all, at) => toggleMark(all, at, '**')],
    [text.help.italic, <ItalicIcon key="italic" size={18} />, (all, at) => toggleMark(all, at, '*')],
    [text.help.code, <CodeIcon key="code" size={18} />, (all, at) => toggleMark(all, at, '`')],
    [composing.link, <LinkIcon key="link" size={18} />, makeLink],
    [composing.list, <ListIcon key="list" size={18} />, toggleList],
  ];
  return (
    <div
      className={styles.strip}
      role="toolbar"
      aria-label={composing.formatting}
      data-floating={isFloating}
      data-testid="format-strip"
    >
      {marks.map(([label, icon, edit]) => (
        <IconButton
          key={label}
          label={label}
          // The selection, and a phone's keyboard, stay.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => act(edit)}
        >
          {icon}
        </IconButton>
      ))}
    </div>
  );
}

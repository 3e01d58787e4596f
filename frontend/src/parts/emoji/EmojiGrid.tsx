import { type MouseEvent, memo, type Ref, useEffect } from 'react';
import styles from './EmojiPicker.module.css';
import { EmojiShown } from './EmojiShown.tsx';
import { type Cell, type Section, sectionRows } from './picker-rows.ts';
import type { Tone } from './skin-tone.ts';

interface EmojiGridProps {
  /** Its ids begin with this. */
  readonly id: string;
  readonly ref: Ref<HTMLDivElement>;
  readonly sections: readonly Section[];
  readonly columns: number;
  readonly tone: Tone;
  readonly active: Cell | null;
  readonly onActivate: (target: EventTarget) => void;
  readonly onClick: (event: MouseEvent) => void;
}

/** All emoji, in sections. The browser lays out only those in sight. */
export function EmojiGrid({ id, ref, active, onActivate, onClick, ...cells }: EmojiGridProps) {
  useEffect(() => {
    // An attribute that changes with every key is not worth rendering 1 800 cells for.
    const cell = active && document.getElementById(cellId(id, active));
    cell?.setAttribute('aria-selected', 'true');
    cell?.scrollIntoView({ block: 'nearest' });
    return () => cell?.setAttribute('aria-selected', 'false');
  }, [id, active]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus, and the keys.
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as this grid is.
    <div
      ref={ref}
      id={`${id}grid`}
      className={styles.grid}
      role="grid"
      tabIndex={-1}
      onClick={onClick}
      onPointerMove={(event) => event.pointerType === 'mouse' && onActivate(event.target)}
    >
      <Cells id={id} {...cells} />
    </div>
  );
}

type CellsProps = Pick<EmojiGridProps, 'id' | 'sections' | 'columns' | 'tone'>;

const Cells = memo(function Cells({ id, sections, columns, tone }: CellsProps) {
  let row = -1;
  return sections.map(({ key, title, emoji }) => (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div key={key} role="rowgroup" aria-label={title} className={styles.section} data-section={key}>
      <p className={styles.heading} aria-hidden="true">
        {title}
      </p>
      {sectionRows(emoji, columns).map((cells) => {
        row += 1;
        const index = row;
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div key={index} role="row" className={styles.row}>
            {cells.map((cell, column) => (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: the search field has the focus.
              <div
                key={cell.emoji}
                id={cellId(id, { row: index, column })}
                role="gridcell"
                className={styles.cell}
                aria-label={cell.label}
                aria-selected="false"
                title={cell.label}
                data-cell={`${index}-${column}`}
              >
                <EmojiShown emoji={cell} tone={tone} />
              </div>
            ))}
          </div>
        );
      })}
    </div>
  ));
});

/** The id of a cell's element. */
export function cellId(id: string, { row, column }: Cell): string {
  return `${id}-${row}-${column}`;
}

import { type RefObject, useEffect, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { moveByArrows } from '../../ui/arrow-keys.ts';
import styles from './EmojiPicker.module.css';
import type { Section } from './picker-rows.ts';

const ICONS: Readonly<Record<string, string>> = {
  recent: '🕘',
  own: '⭐',
  smileys: '😀',
  people: '👋',
  nature: '🌿',
  food: '🍎',
  travel: '🚗',
  activities: '⚽',
  objects: '💡',
  symbols: '💜',
  flags: '🏁',
};

interface GroupBarProps {
  readonly sections: readonly Section[];
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** Scrolls to a group, and shows which one is in sight. One Tab stop, with the arrow keys between its buttons. */
export function GroupBar({ sections, scroller }: GroupBarProps) {
  const { emoji: texts } = useScreenTexts();
  const [inSight, setInSight] = useState(sections[0]?.key);

  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const onScroll = () => {
      const reached = sectionElements(box).filter((element) => element.offsetTop <= box.scrollTop + 8);
      setInSight(reached.at(-1)?.dataset.section ?? sections[0]?.key);
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => box.removeEventListener('scroll', onScroll);
  }, [scroller, sections]);

  function show(key: string): void {
    const box = scroller.current;
    const section = box && sectionElements(box).find((element) => element.dataset.section === key);
    section?.scrollIntoView({ block: 'start' });
  }

  return (
    <div
      className={styles.groups}
      role="toolbar"
      aria-label={texts.allGroups}
      onKeyDown={(event) => moveByArrows(event, 'horizontal')}
    >
      {sections.map(({ key, title }) => (
        <button
          key={key}
          type="button"
          className={styles.group}
          aria-label={title}
          title={title}
          aria-pressed={key === inSight}
          tabIndex={key === inSight ? 0 : -1}
          onClick={() => show(key)}
        >
          {ICONS[key]}
        </button>
      ))}
    </div>
  );
}

function sectionElements(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[data-section]')];
}

import type { ComponentType } from 'react';
import { FILTERS, type FilterName } from '../../../../protocol/search/query.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { FileIcon } from '../../ui/file-icons.tsx';
import { ClockIcon } from '../../ui/icons.tsx';
import { AtIcon, BookmarkIcon, DoorIcon, PersonIcon } from '../../ui/late-icons.tsx';
import styles from './SearchStart.module.css';
import { setText } from './search-store.ts';

const ICONS: Readonly<Record<FilterName, ComponentType<{ readonly size?: number }>>> = {
  from: PersonIcon,
  in: DoorIcon,
  with: AtIcon,
  has: FileIcon,
  is: BookmarkIcon,
  before: ClockIcon,
  after: ClockIcon,
  on: ClockIcon,
};
const ORDER: readonly FilterName[] = ['from', 'in', 'with', 'has', 'is', 'on', 'before', 'after'];

/** While nothing is looked for: how a search can be narrowed. */
export function SearchStart({ onBegin }: { readonly onBegin: () => void }) {
  const { search: texts } = useScreenTexts();
  return (
    <section className={styles.start} aria-label={texts.filters}>
      <h2 className={styles.heading}>{texts.filters}</h2>
      <ul>
        {ORDER.filter((name) => name in FILTERS).map((name) => {
          const Icon = ICONS[name];
          return (
            <li key={name}>
              <button
                type="button"
                className={styles.row}
                data-stop=""
                onClick={() => {
                  setText(`${name}:`);
                  onBegin();
                }}
              >
                <Icon size={18} />
                <span className={styles.name}>{texts.begin[name]}</span>
                <kbd className={styles.typed}>{name}:</kbd>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

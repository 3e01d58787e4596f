import type { ComponentType } from 'react';
import { FILTERS, type FilterName } from '../../../../protocol/search/query.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { FileIcon } from '../../ui/file-icons.tsx';
import { ClockIcon, CloseIcon } from '../../ui/icons.tsx';
import { AtIcon, BookmarkIcon, DoorIcon, PersonIcon } from '../../ui/late-icons.tsx';
import { forgetSearch, forgetSearches, useRecent } from './recent.ts';
import styles from './SearchStart.module.css';
import { setQuery, setText } from './search-store.ts';

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
    <>
      <Recent onBegin={onBegin} />
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
    </>
  );
}

/** The searches that were made last, each of which can be removed. */
function Recent({ onBegin }: { readonly onBegin: () => void }) {
  const { search: texts } = useScreenTexts();
  const queries = useRecent((store) => store.queries);
  if (queries.length === 0) return null;
  return (
    <section className={styles.start} aria-label={texts.recent}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{texts.recent}</h2>
        <Button
          look="quiet"
          className={styles.all}
          onClick={() => {
            forgetSearches();
            onBegin();
          }}
        >
          {texts.forgetAll}
        </Button>
      </div>
      <ul>
        {queries.map((query) => (
          <li key={query} className={styles.recent}>
            <button
              type="button"
              className={styles.row}
              data-stop=""
              onClick={() => {
                setQuery(query);
                onBegin();
              }}
            >
              <ClockIcon size={18} />
              <span className={styles.name} dir="auto">
                {query}
              </span>
            </button>
            <IconButton
              label={texts.forget(query)}
              onClick={() => {
                forgetSearch(query);
                onBegin();
              }}
            >
              <CloseIcon size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

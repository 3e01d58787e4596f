import { type ComponentType, type ReactNode, useState } from 'react';
import { navigate } from '../stores/route.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { ChevronIcon } from './icons.tsx';
import { inThisTab } from './in-this-tab.ts';
import { Page } from './Page.tsx';
import styles from './SectionPage.module.css';

export interface Section {
  /** In its address. */
  readonly name: string;
  readonly title: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly content: ReactNode;
}

interface SectionPageProps {
  readonly title: string;
  /** The address of the page; a section's is below it. */
  readonly path: string;
  readonly sections: readonly Section[];
  /** The one that the address names; null: the first, or on a phone the list of them. */
  readonly chosen: string | null;
  /** What a phone shows above the list of sections, and more rows below it. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
}

/** A page of sections: the list of them at the left and one at the right; on a phone, one after the other. */
export function SectionPage({ title, path, sections, chosen, above, below }: SectionPageProps) {
  const isNarrow = useMedia(NARROW);
  const shown = useShown(sections, chosen, isNarrow);
  const isListAlone = shown === undefined;
  return (
    <Page title={isNarrow && !isListAlone ? shown.title : title} isWide={!isNarrow}>
      {isListAlone && above}
      <div className={styles.columns}>
        {(!isNarrow || isListAlone) && (
          <div>
            <nav className={styles.list} aria-label={title}>
              {sections.map(({ name, title: words, icon }) => (
                <SectionLink
                  key={name}
                  path={`${path}/${name}`}
                  title={words}
                  icon={icon}
                  isHere={shown?.name === name}
                />
              ))}
            </nav>
            {isListAlone && below}
          </div>
        )}
        {/* In one place of the tree: what is written there outlives another width of the window. */}
        {!isListAlone && (
          <section
            key={shown.name}
            className={styles.section}
            aria-label={isNarrow ? undefined : shown.title}
          >
            {!isNarrow && <h2 className={styles.title}>{shown.title}</h2>}
            {shown.content}
          </section>
        )}
      </div>
    </Page>
  );
}

/** The section that the address names. Without one: the first, or that which was shown before the window was narrow. */
function useShown(
  sections: readonly Section[],
  chosen: string | null,
  isNarrow: boolean,
): Section | undefined {
  const [before, setBefore] = useState<string | null>(null);
  const named = sections.find(({ name }) => name === chosen);
  const shown = named ?? (isNarrow ? sections.find(({ name }) => name === before) : sections[0]);
  const wide = isNarrow ? before : (shown?.name ?? null);
  if (wide !== before) setBefore(wide);
  return shown;
}

interface SectionLinkProps {
  readonly path: string;
  readonly title: string;
  readonly icon: Section['icon'];
  readonly isHere?: boolean;
}

/** A row that leads to a section or another page. */
export function SectionLink({ path, title, icon: Icon, isHere = false }: SectionLinkProps) {
  const open = inThisTab(() => navigate(path, isHere ? 'replace' : 'push'));
  return (
    <a href={path} className={styles.row} aria-current={isHere ? 'page' : undefined} onClick={open}>
      <Icon size={20} />
      <span className={styles.name}>{title}</span>
      <span className={styles.chevron}>
        <ChevronIcon size={16} />
      </span>
    </a>
  );
}

interface SectionButtonProps {
  readonly title: string;
  readonly icon: Section['icon'];
  readonly onClick: () => void;
}

/** A row of the same look that does something. */
export function SectionButton({ title, icon: Icon, onClick }: SectionButtonProps) {
  return (
    <button type="button" className={styles.row} onClick={onClick}>
      <Icon size={20} />
      <span className={styles.name}>{title}</span>
    </button>
  );
}

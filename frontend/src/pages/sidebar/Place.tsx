import type { ComponentType } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { navigate, type Route, useRoute } from '../../stores/route.ts';
import { inThisTab } from '../../ui/in-this-tab.ts';
import badge from '../../ui/UnreadBadge.module.css';
import styles from './Place.module.css';

interface PlaceProps {
  /** The page, whose address is its name; `home` is the list of rooms. */
  readonly page: Route['page'];
  readonly name: string;
  readonly icon: ComponentType;
  /** What is new there. */
  readonly count?: number;
  /** The count in words. */
  readonly counted?: string;
}

/** The way to a page of the user's own: above the rooms, and in the bar of a phone. */
export function Place({ page, name, icon: Icon, count = 0, counted }: PlaceProps) {
  const text = useText();
  const isHere = useRoute(({ route }) => route.page === page);
  const path = page === 'home' ? '/' : `/${page}`;

  return (
    <a
      href={path}
      className={styles.place}
      data-unread={count > 0}
      data-testid={`${page}-place`}
      aria-current={isHere ? 'page' : undefined}
      onClick={inThisTab(() => navigate(path))}
    >
      <Icon />
      <span className={styles.name}>{name}</span>
      {count > 0 && (
        <span className={`${badge.badge} ${styles.count}`} data-personal="true">
          <span aria-hidden="true" data-testid={`${page}-count`}>
            {text.sidebar.badge(count)}
          </span>
          <span className="visually-hidden">{counted}</span>
        </span>
      )}
    </a>
  );
}

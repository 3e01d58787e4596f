import type { ReactNode } from 'react';
import { useSession } from '../stores/session.ts';
import styles from './DoorPage.module.css';

interface DoorPageProps {
  /** A `Hero`. */
  readonly hero: ReactNode;
  /** The buttons of a page that is no form. */
  readonly acts?: ReactNode;
  readonly children?: ReactNode;
}

/** A picture with what there is to do beneath it, in the light of the hallway. Outside it is the whole window. */
export function DoorPage({ hero, acts, children }: DoorPageProps) {
  const isInside = useSession().status === 'signed_in';
  const Page = isInside ? 'div' : 'main';
  return (
    <Page className={styles.page}>
      <div className={styles.column}>
        {hero}
        {children}
        {acts !== undefined && <div className={styles.acts}>{acts}</div>}
      </div>
    </Page>
  );
}

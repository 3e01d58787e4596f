import type { Notice } from '../../../../protocol/notices.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import type { ArrivalNames } from './ArrivalSentence.tsx';
import styles from './NoticeLine.module.css';

const FactSentence = lazyPart(async () => (await roomParts()).FactSentence);
const ArrivalSentence = lazyPart(async () => (await roomParts()).ArrivalSentence);

/** "ann renamed the room to ops": what happened to the room or its members. */
export function FactLine({ notice }: { readonly notice: Notice }) {
  return (
    <li className={styles.notice} data-landmark data-testid="fact">
      <FactSentence notice={notice} />
    </li>
  );
}

/** "ann and bo joined · cy left". */
export function NoticeLine(names: ArrivalNames) {
  return (
    <li className={styles.notice} data-landmark data-testid="notice">
      <ArrivalSentence {...names} />
    </li>
  );
}

import type { ReactNode } from 'react';
import { DoorPage } from './DoorPage.tsx';
import { Empty } from './Empty.tsx';

interface EndedProps {
  readonly title: string;
  readonly hint: string;
  /** Where to go from here. */
  readonly children: ReactNode;
}

/** The page of a link that leads nowhere any more: a closed door. */
export function Ended({ title, hint, children }: EndedProps) {
  return (
    <DoorPage
      hero={
        <Empty page drawing="closed_door" title={title} hint={hint}>
          {children}
        </Empty>
      }
    />
  );
}

import type { ReactNode } from 'react';
import styles from './Timeline.module.css';
import type { TimelineController } from './timeline-controller.ts';

interface TimelineBoxProps {
  readonly controller: TimelineController;
  readonly label: string;
  readonly isBusy: boolean;
  /** Tab leads to it, as there is no message to lead to. */
  readonly isTabStop: boolean;
  readonly children: ReactNode;
}

/** The box that scrolls. It tells the controller of what the reader does in it. */
export function TimelineBox({ controller, label, isBusy, isTabStop, children }: TimelineBoxProps) {
  return (
    <div
      ref={controller.attach}
      className={styles.scroller}
      onScroll={() => controller.onScroll()}
      onWheel={() => controller.onHand()}
      onTouchMove={() => controller.onHand()}
      onPointerDown={(event) => event.target === event.currentTarget && controller.onHand()}
      onKeyDown={(event) => controller.onKeyDown(event)}
      onFocus={() => controller.onFocus()}
      tabIndex={isTabStop ? 0 : -1}
      role="log"
      aria-live="off"
      aria-label={label}
      aria-busy={isBusy}
    >
      <div className={styles.content}>{children}</div>
    </div>
  );
}

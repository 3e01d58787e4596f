import { useEffect, useRef, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './TimelineOlder.module.css';

interface TimelineOlderProps {
  readonly status: 'idle' | 'loading' | 'failed';
  /** Below the newest message that is loaded, instead. */
  readonly isNewer?: boolean;
  readonly onLoad: () => void;
}

/** Above the oldest message that is loaded. */
export function TimelineOlder({ status, isNewer = false, onLoad }: TimelineOlderProps) {
  const { timeline } = useScreenTexts();
  const box = useRef<HTMLDivElement>(null);
  const isInSight = useInSight(box);
  return (
    <div ref={box} className={styles.older}>
      {status === 'failed' && <p role="alert">{isNewer ? timeline.newerFailed : timeline.olderFailed}</p>}
      {/* Out of sight it is no Tab stop: Shift+Tab from the messages would jump to the top of the room. */}
      <Button onClick={onLoad} aria-disabled={status === 'loading'} tabIndex={isInSight ? 0 : -1}>
        {isNewer ? timeline.newer : timeline.older}
      </Button>
    </div>
  );
}

function useInSight(box: { readonly current: Element | null }): boolean {
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) =>
      setInSight(entries.at(-1)?.isIntersecting === true),
    );
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return isInSight;
}

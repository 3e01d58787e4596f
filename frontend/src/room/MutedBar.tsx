import { useEffect, useState } from 'react';
import { useText } from '../i18n/catalogue.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import frame from './Bar.module.css';
import styles from './MutedBar.module.css';
import { loadReason, mutedWords } from './muted-words.ts';

/** A timer takes no longer time. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface MutedBarProps {
  readonly roomId: number;
  /** RFC 3339. */
  readonly until: string;
  /** The time is over. */
  readonly onOver: () => void;
}

/** In place of the composer where a moderator has muted the user: until when, and why. */
export function MutedBar({ roomId, until, onOver }: MutedBarProps) {
  const text = useText();
  const { bar } = useScreenTexts();
  const [reason, setReason] = useState('');

  useEffect(() => {
    let gone = false;
    void loadReason(roomId, until).then((found) => gone || setReason(found));
    return () => {
      gone = true;
    };
  }, [roomId, until]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const left = Date.parse(until) - Date.now();
      if (left < 0) onOver();
      else timer = setTimeout(wait, Math.min(left + 1, MAX_TIMER_MS));
    };
    wait();
    return () => clearTimeout(timer);
  }, [until, onOver]);

  return (
    <p className={`${frame.bar} ${styles.bar}`} role="status" data-testid="muted">
      {mutedWords(text, bar, until, reason)}
    </p>
  );
}

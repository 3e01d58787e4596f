import { AlertIcon } from '../../ui/late-icons.tsx';
import styles from './Entrance.module.css';
import { TooManyTries } from './TooManyTries.tsx';

interface FormErrorProps {
  readonly message: string | undefined;
  /** Until the next try, after too many. */
  readonly secondsLeft: number;
}

/** What is wrong, where it belongs to no field. */
export function FormError({ message, secondsLeft }: FormErrorProps) {
  if (secondsLeft > 0) return <TooManyTries secondsLeft={secondsLeft} />;
  if (message === undefined) return null;
  return (
    <p className={styles.error} role="alert">
      <AlertIcon size={18} />
      {message}
    </p>
  );
}

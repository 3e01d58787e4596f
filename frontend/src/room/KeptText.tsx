import { useScreenTexts } from '../i18n/screens.ts';
import { Button } from '../ui/Button.tsx';
import { useCopy } from '../ui/use-copy.ts';
import frame from './Bar.module.css';
import styles from './KeptText.module.css';

interface KeptTextProps {
  readonly title: string;
  readonly content: string;
}

/** A text that cannot be sent from here any more. It stays on the device, and can be copied. */
export function KeptText({ title, content }: KeptTextProps) {
  const { kept } = useScreenTexts();
  const { copied, copy } = useCopy(content);
  return (
    <div className={`${frame.bar} ${styles.box}`} data-testid="kept-text">
      <div className={styles.head}>
        <p>{title}</p>
        <Button onClick={() => void copy()}>{copied ? kept.copied : kept.copy}</Button>
        <span className="visually-hidden" role="status">
          {copied && kept.copied}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard. */}
      <blockquote className={styles.text} tabIndex={0} dir="auto">
        {content}
      </blockquote>
    </div>
  );
}

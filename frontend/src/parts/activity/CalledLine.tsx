import { chat } from '../../stores/chat.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './CalledLine.module.css';

interface CalledLineProps {
  readonly line: string;
  /** What is shown of the user's name. */
  nameOf?(mention: string): string;
}

/** A line of plain text with the user's own mention in the colour of what calls them. */
export function CalledLine({ line, nameOf = (mention) => mention }: CalledLineProps) {
  const mention = `@${chat().user?.username}`;
  const at = line.indexOf(mention);
  if (at < 0) return <Sentence text={line} />;
  return (
    <>
      <Sentence text={line.slice(0, at)} />
      <b className={styles.me}>{nameOf(mention)}</b>
      {line.slice(at + mention.length)}
    </>
  );
}

import styles from './List.module.css';

interface PersonTextProps {
  readonly person: { readonly username: string; readonly display_name: string };
  /** Stands beneath, in place of the username. */
  readonly note?: string | undefined;
}

/** A person's name; where it is not the username, that stands beneath it. */
export function PersonText({ person: { username, display_name: name }, note }: PersonTextProps) {
  const isOther = name !== '' && name !== username;
  const beneath = note ?? (isOther ? username : undefined);
  return (
    <span className={styles.text}>
      <span className={styles.name}>{isOther ? name : username}</span>
      {beneath !== undefined && <span className={styles.note}>{beneath}</span>}
    </span>
  );
}

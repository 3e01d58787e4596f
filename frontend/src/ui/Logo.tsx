import styles from './Logo.module.css';

/** The mark: a door that stands open, with light behind it. The same shape as public/favicon.svg. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className={styles.wall} width="32" height="32" rx="9" />
      <path className={styles.light} d="M9.5 25V13.5a6.5 6.5 0 0 1 13 0V25Z" />
      <path className={styles.door} d="M9.5 25V13.5a6.5 6.5 0 0 1 5.6-6.4l3 3.2v17.3Z" />
      <circle className={styles.wall} cx="15.6" cy="18" r="1.2" />
    </svg>
  );
}

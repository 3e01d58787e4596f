import styles from './Logo.module.css';

/** The logo: a speech bubble with three dots. The same shape as public/favicon.svg. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg
      className={styles.logo}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect className={styles.back} width="32" height="32" rx="9" />
      <path
        className={styles.bubble}
        d="M10 9h12a4 4 0 0 1 4 4v5a4 4 0 0 1-4 4h-6.5l-4.7 3.9a.8.8 0 0 1-1.3-.6V22a4 4 0 0 1-3.5-4v-5a4 4 0 0 1 4-4Z"
      />
      <g className={styles.back}>
        <circle cx="11.5" cy="15.5" r="1.6" />
        <circle cx="16" cy="15.5" r="1.6" />
        <circle cx="20.5" cy="15.5" r="1.6" />
      </g>
    </svg>
  );
}

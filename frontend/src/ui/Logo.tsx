import styles from './Logo.module.css';

/**
 * The mark: a door that stands open, with light behind it. Its leaf follows the hue of the window. The same shape as
 * public/favicon.svg. `size` is its height.
 */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={(size * 26) / 30} height={size} viewBox="3 1 26 30" aria-hidden="true" focusable="false">
      <path className={styles.light} d="M16 2a12 12 0 0 1 12 12v16H16Z" />
      <path className={styles.leaf} d="M4 30V14A12 12 0 0 1 16 2l6.5 5v24Z" />
      <circle className={styles.knob} cx="18.6" cy="18" r="1.5" />
    </svg>
  );
}

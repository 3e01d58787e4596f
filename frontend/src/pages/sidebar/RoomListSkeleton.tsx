import styles from './RoomList.module.css';

/** Placeholders for rooms. They appear only when loading takes a while. */
export function RoomListSkeleton({ label }: { readonly label: string }) {
  return (
    <div className={styles.list} role="status" aria-label={label}>
      {[70, 45, 60, 38, 52].map((width) => (
        <div key={width} className={styles.ghost}>
          <span style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}

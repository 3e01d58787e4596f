/** In the data folder: when the latest backup was made, RFC 3339. `roomful backup` writes it, and the metrics tell it. */
export const LAST_BACKUP = 'last-backup';

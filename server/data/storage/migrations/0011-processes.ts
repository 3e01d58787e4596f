import type { SharedMigration } from './migration.ts';

/**
 * `writers`: what a server process says of itself (server/data/storage/postgres/processes.ts). NULL: it is none, or has
 * ended.
 */
export const processes: SharedMigration = {
  version: 11,
  runsFrom: 7,
  sqlite: '',
  postgres: `
    ALTER TABLE writers ADD COLUMN process TEXT, ADD COLUMN build TEXT, ADD COLUMN secret_id TEXT,
      ADD COLUMN timeline BIGINT, ADD COLUMN clock_offset_ms BIGINT;
  `,
};

import type { SharedMigration } from './migration.ts';

/**
 * `rooms.hue`: the name of the hue that was chosen (protocol/hues.ts). NULL: none, and the room has the one of its id.
 */
export const hues: SharedMigration = {
  version: 12,
  runsFrom: 7,
  sqlite: 'ALTER TABLE rooms ADD COLUMN hue TEXT;',
  postgres: 'ALTER TABLE rooms ADD COLUMN hue TEXT;',
};

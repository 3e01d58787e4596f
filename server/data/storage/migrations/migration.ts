/** One numbered step of the schema. */
export interface Migration {
  version: number;
  sqlite: string;
}

/** A step from version 7 on. PostgreSQL begins with the schema of version 6 (postgres-schema.ts). */
export interface SharedMigration extends Migration {
  postgres: string;
  /** The oldest version whose code may run on the result: processes of two releases share a database during a roll. */
  runsFrom: number;
}

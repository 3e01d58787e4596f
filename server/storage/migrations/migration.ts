/** One numbered step of the schema. */
export interface Migration {
  version: number;
  sqlite: string;
}

/** How one command or read is written once and serves every adapter. */

/** Named operations, each with its one argument and its result, as a store that never waits would have them. */
type Operations<Table> = { [Name in keyof Table]: (args: never) => unknown };

/** What an operation takes. */
export type ArgsOf<Operation> = Operation extends (args: infer Args) => unknown ? Args : never;
/** What an operation returns. */
export type ResultOf<Operation> = Operation extends (args: never) => infer Result ? Result : never;

/** The same operations, as callers have them. */
export type Promised<Table extends Operations<Table>> = {
  [Name in keyof Table]: (...args: Parameters<Table[Name]>) => Promise<ReturnType<Table[Name]>>;
};

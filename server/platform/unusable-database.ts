/** The database cannot be used as it is; the message is a sentence for the operator. */
export class UnusableDatabaseError extends Error {
  override readonly name: string = 'UnusableDatabaseError';
}

/** It does not answer, or takes no writes at this moment, which passes by itself. */
export class AwayError extends UnusableDatabaseError {
  override readonly name = 'AwayError';
}

/** A setting names a database that cannot be used, or that cannot keep what Roomful promises. */
export class WrongDatabaseError extends UnusableDatabaseError {
  override readonly name = 'WrongDatabaseError';
}

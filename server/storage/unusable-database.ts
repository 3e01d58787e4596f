/** The database cannot be used as it is; the message is a sentence for the operator. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

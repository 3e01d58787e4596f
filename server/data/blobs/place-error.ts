/** A place of files that does not do what it is asked for: a sentence for the operator. */
export class PlaceError extends Error {
  override readonly name = 'PlaceError';
}

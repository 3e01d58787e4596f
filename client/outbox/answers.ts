/** What a text answers, beside its content. */
export interface Answers {
  /** A message of the same room, which the text quotes. */
  readonly replyTo?: number | undefined;
  /** The root of the thread that the text is a reply in. */
  readonly threadId?: number | undefined;
}

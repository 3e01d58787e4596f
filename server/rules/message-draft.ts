/** A message before it is stored. It goes whole from the frame to the store. */

export interface MessageDraft {
  content: string;
  /** The client's own id, unique per user and room, for ever; null: no protection from doubles. */
  cid: string | null;
  /** The message of the same room that it answers. */
  replyTo?: number | undefined;
  /** The root of the thread that it is a reply in: a text of the same room that is no such reply itself. */
  threadId?: number | undefined;
  /** Keys of complete uploads of its author to the same room. With files, the content may be empty. */
  files?: readonly string[] | undefined;
}

/** Whether the draft has nothing but its text: then the adapters of the store append it by faster code of their own. */
export function isPlain({ replyTo, threadId, files }: MessageDraft): boolean {
  return replyTo === undefined && threadId === undefined && files === undefined;
}

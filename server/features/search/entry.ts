/** What of a message can be found. */
import type { AttachedFile } from '../../../protocol/attached-files.ts';
import type { FileFamily } from '../../../protocol/rest/files.ts';
import { familyOf, hasLink } from '../../../protocol/search/traits.ts';
import { dayMarks, marks } from '../../data/search/marks.ts';
import type { Entry } from '../../data/search/search-index.ts';
import type { MessageRow } from '../../data/storage/store.ts';
import { extraOf } from '../../rules/message.ts';

/** What filters ask of a message. */
export interface Traits {
  families: ReadonlySet<FileFamily>;
  hasFile: boolean;
  hasLink: boolean;
  hasReaction: boolean;
  isEdited: boolean;
  isPinned: boolean;
  /** It is a reply, or has some. */
  isInThread: boolean;
}

export function filesOf({ facts }: MessageRow): readonly AttachedFile[] {
  return (facts?.extra?.includes('"files"') && extraOf(facts).files) || [];
}

/** The texts in which words are looked for: the content, then the name and the description of each file. */
export function textsOf(message: MessageRow): string[] {
  return [message.content, ...filesOf(message).flatMap(({ name, alt = '' }) => [name, alt])];
}

export function traitsOf(message: MessageRow): Traits {
  const { facts, content } = message;
  const extra = facts ? extraOf(facts) : {};
  const files = extra.files ?? [];
  return {
    families: new Set(files.map(({ type }) => familyOf(type))),
    hasFile: files.length > 0,
    hasLink: hasLink(content),
    hasReaction: (extra.reactions ?? []).length > 0,
    isEdited: (facts?.revision ?? 0) > 0,
    isPinned: (facts?.pinnedAt ?? null) !== null,
    isInThread: (facts?.threadId ?? null) !== null || (extra.thread?.replies ?? 0) > 0,
  };
}

/** Notices and deleted texts cannot be found. */
export function entryOf(message: MessageRow): Entry {
  const { id: messageId, notice, facts } = message;
  if (notice !== null || (facts?.deletedAt ?? null) !== null) return { messageId, indexed: null };
  const traits = traitsOf(message);
  const own = [
    marks.author(message.userId),
    ...[...traits.families].map(marks.family),
    ...(traits.hasFile ? [marks.file] : []),
    ...(traits.hasLink ? [marks.link] : []),
    ...(traits.hasReaction ? [marks.reaction] : []),
    ...(traits.isEdited ? [marks.edited] : []),
    ...(traits.isPinned ? [marks.pinned] : []),
    ...(traits.isInThread ? [marks.thread] : []),
    ...dayMarks(message.createdAt),
  ];
  return { messageId, indexed: { texts: textsOf(message), marks: own } };
}

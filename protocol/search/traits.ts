/** What filters ask of a message besides its words. */
import { KINDS } from '../media/kinds.ts';
import type { FileFamily } from '../rest/files.ts';

const LINK = /\bhttps?:\/\/\S/i;
const FAMILY_OF: ReadonlyMap<string, FileFamily> = new Map(
  Object.values(KINDS).map(({ type, family }) => [type, family]),
);

export function hasLink(content: string): boolean {
  return LINK.test(content);
}

/** The family of a file of this type. */
export function familyOf(type: string): FileFamily {
  return FAMILY_OF.get(type) ?? 'other';
}

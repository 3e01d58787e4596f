import type { RoomHue } from '../../../../protocol/hues.ts';
import type { Notice } from '../../../../protocol/notices.ts';
import { isolate } from '../../i18n/isolate.ts';
import type { ScreenTexts } from '../../i18n/screens.ts';

/** What happened to a room or to its members, in a sentence. Its names are marked for `Sentence`. */
export function noticeSentence(text: ScreenTexts, notice: Notice): string {
  const { notices } = text;
  const by = isolate(notice.by.username);
  switch (notice.kind) {
    case 'renamed':
      return notices.renamed(by, isolate(notice.room.name));
    case 'topic':
      return notice.room.topic === '' ? notices.topicGone(by) : notices.topic(by, isolate(notice.room.topic));
    case 'emoji':
      return notice.room.emoji === null ? notices.emojiGone(by) : notices.emoji(by, notice.room.emoji);
    case 'hue':
      return hueSentence(text, notice.room.hue, by);
    case 'description':
    case 'made_private':
    case 'archived':
    case 'restored':
    case 'deleted':
    case 'settings':
      return notices[notice.kind](by);
    case 'joined':
    case 'left':
      return notices[notice.kind](isolate(notice.member.username));
    case 'added':
    case 'removed':
      return notices[notice.kind](by, isolate(notice.member.username));
    case 'role':
      return notices.role(by, isolate(notice.member.username), text.roles[notice.member.role ?? 'member']);
    default:
      // A newer server has further kinds.
      return notices.other(by);
  }
}

/** `hue`: undefined on a server that does not tell it. A newer one has further hues. */
function hueSentence(
  { notices, roomDoor }: ScreenTexts,
  hue: RoomHue | null | undefined,
  by: string,
): string {
  if (hue === null) return notices.hueGone(by);
  const name = hue && roomDoor.hues[hue];
  return name === undefined ? notices.hueNew(by) : notices.hue(by, name);
}

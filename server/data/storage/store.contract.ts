import { afterAll, beforeAll, describe } from 'vitest';
import { describeAccounts } from './contract/accounts.ts';
import { describeAppend } from './contract/append.ts';
import { describeAppendModel } from './contract/append-model.ts';
import { describeAround } from './contract/around.ts';
import { describeAttachedFiles } from './contract/attached-files.ts';
import { describeChangeRoom } from './contract/change-room.ts';
import { describeClosing } from './contract/closing.ts';
import { describeConsumers } from './contract/consumers.ts';
import { describeDms } from './contract/dms.ts';
import { describeEmoji } from './contract/emoji.ts';
import { describeFileEnds } from './contract/file-ends.ts';
import { describeFiles } from './contract/files.ts';
import { describeHeads } from './contract/heads.ts';
import { describeHistory } from './contract/history.ts';
import { describeInvites } from './contract/invites.ts';
import { describeLinkPreviews } from './contract/link-previews.ts';
import { describeLinks } from './contract/links.ts';
import { describeMarks } from './contract/marks.ts';
import { describeMembers } from './contract/members.ts';
import { describeMentions } from './contract/mentions.ts';
import { describeMessageChanges } from './contract/message-changes.ts';
import { describeMessageFiles } from './contract/message-files.ts';
import { describeNotifications } from './contract/notifications.ts';
import { describePeople } from './contract/people.ts';
import { describePictures } from './contract/pictures.ts';
import { describePosts } from './contract/posts.ts';
import { describePurge } from './contract/purge.ts';
import { describePush } from './contract/push.ts';
import { describeRegistrations } from './contract/registrations.ts';
import { describeRemoval } from './contract/removal.ts';
import { describeRemovalRaces } from './contract/removal-races.ts';
import { describeRetention } from './contract/retention.ts';
import { describeRooms } from './contract/rooms.ts';
import { describeSearch } from './contract/search.ts';
import { describeServerName } from './contract/server-name.ts';
import { describeSessions } from './contract/sessions.ts';
import type { ContractPart, StoreUnderTest } from './contract/subject.ts';
import { describeThreadMembers } from './contract/thread-members.ts';
import { describeThreads } from './contract/threads.ts';
import { describeTickets } from './contract/tickets.ts';
import { describeUnreadModel } from './contract/unread-model.ts';

const PARTS: ContractPart[] = [
  describeAccounts,
  describeSessions,
  describePeople,
  describeRooms,
  describeChangeRoom,
  describeMembers,
  describeInvites,
  describeLinks,
  describeServerName,
  describeDms,
  describeMarks,
  describeUnreadModel,
  describeAppend,
  describeAppendModel,
  describeMentions,
  describeMessageChanges,
  describePosts,
  describeHistory,
  describeAround,
  describeThreads,
  describeThreadMembers,
  describeHeads,
  describeConsumers,
  describeNotifications,
  describeTickets,
  describePush,
  describeRegistrations,
  describeRemoval,
  describeRemovalRaces,
  describeRetention,
  describeSearch,
  describeFiles,
  describePictures,
  describeEmoji,
  describeFileEnds,
  describeAttachedFiles,
  describeMessageFiles,
  describeLinkPreviews,
  describePurge,
  describeClosing,
];

/** What every store promises; run over each adapter. All tests share one store, and each makes what it needs. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`Store contract: ${name}`, () => {
    let subject: StoreUnderTest;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(async () => await subject?.dispose());

    for (const describePart of PARTS) describePart(() => subject);
  });
}

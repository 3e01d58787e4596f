import { useEffect } from 'react';
import { syncLate } from '../app/late.ts';
import { SearchHost } from '../pages/search/SearchHost.tsx';
import { RowMenu } from '../pages/sidebar/RowMenu.tsx';
import { AskBar } from '../parts/notifications/AskBar.tsx';
import { NoticeAnnouncer } from '../parts/notifications/NoticeAnnouncer.tsx';
import { FileDrops } from '../room/files/FileDrops.tsx';
import { AvatarPress } from '../room/message/AvatarPress.tsx';
import { MessageKeys } from '../room/message/MessageKeys.tsx';
import { MessageMenuHost } from '../room/message/MessageMenuHost.tsx';
import { SwipeReply } from '../room/message/SwipeReply.tsx';
import { loadServerIcon } from '../stores/server-icon.ts';
import { Dialogs } from './Dialogs.tsx';
import { KeyboardMap } from './KeyboardMap.tsx';
import { markTouch } from './mark-touch.ts';
import { TabTitle } from './TabTitle.tsx';
import { Toasts } from './Toasts.tsx';
import { useCutMark } from './use-cut-mark.ts';
import { useEnter } from './use-enter.ts';

/** What the first paint of the shell can do without. Only an open dialog is visible. */
export function LateShell({ roomId }: { readonly roomId: number | null }) {
  useEffect(syncLate, []);
  useEnter();
  useCutMark();
  useEffect(markTouch, []);
  useEffect(loadServerIcon, []);
  return (
    <>
      <KeyboardMap />
      <TabTitle roomId={roomId} />
      <FileDrops />
      <AvatarPress />
      <MessageKeys />
      <SwipeReply />
      <RowMenu />
      <SearchHost />
      <MessageMenuHost />
      <AskBar />
      <NoticeAnnouncer />
      <Toasts />
      <Dialogs />
    </>
  );
}

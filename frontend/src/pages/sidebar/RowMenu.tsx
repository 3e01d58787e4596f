import { useEffect, useState } from 'react';
import type { ListedRoom } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import type { Catalogue } from '../../i18n/en.ts';
import { explain } from '../../i18n/errors.ts';
import { type ScreenTexts, screenTexts, useScreenTexts } from '../../i18n/screens.ts';
import { leaveRoom } from '../../parts/rooms/leave-room.ts';
import { chat } from '../../stores/chat.ts';
import { keepUnread, useOwnRooms } from '../../stores/own-rooms.ts';
import { roomRequests } from '../../stores/requests.ts';
import { navigate, type Panel, roomPath, showPanel } from '../../stores/route.ts';
import { inRoom, openSearch } from '../../stores/search.ts';
import { showToast } from '../../stores/toasts.ts';
import { NARROW } from '../../stores/use-media.ts';
import { type Action, ActionMenu } from '../../ui/ActionMenu.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { CheckIcon, LinkIcon, SearchIcon } from '../../ui/icons.tsx';
import {
  BellIcon,
  BellOffIcon,
  GearIcon,
  SignOutIcon,
  StarIcon,
  StarOffIcon,
  UnreadIcon,
} from '../../ui/late-icons.tsx';
import { type RowAt, watchRows } from './watch-rows.ts';

/**
 * The menu of a room of the list: on right-click, by the button in the row, by the menu key, or by a finger that holds.
 */
export function RowMenu() {
  const text = useText();
  const texts = useScreenTexts();
  const [open, setOpen] = useState<RowAt | null>(null);
  const own = useOwnRooms(({ rooms }) => (open === null ? undefined : rooms.get(open.roomId)));
  useEffect(() => watchRows(setOpen), []);

  useEffect(() => {
    // The row stays marked while its menu is open.
    const row = open?.row;
    row?.setAttribute('data-menu', '');
    return () => row?.removeAttribute('data-menu');
  }, [open]);

  if (open === null) return null;
  const name = open.row.querySelector('[data-name]')?.textContent ?? '';
  const actions = own === undefined ? [copyLink(open.roomId, texts.rowMenu)] : actionsFor(own, texts, text);
  return (
    <ActionMenu
      label={name}
      actions={actions}
      at={open.at}
      isHeld={open.isHeld}
      onClose={() => setOpen(null)}
    />
  );
}

function actionsFor(own: ListedRoom, { rowMenu: texts, search }: ScreenTexts, text: Catalogue): Action[] {
  const { room, me, seq, readSeq, last, unread } = own;
  const isDirect = room.kind === 'dm';
  const isMuted = me.notify === 'none';
  const isUnread = unread !== 0 && readSeq < seq;
  const mayBeUnread = last !== null && last.user_id !== chat().user?.id;
  const tell = (prefs: Parameters<ReturnType<typeof roomRequests>['setPrefs']>[1]) => () =>
    void roomRequests()
      .setPrefs(room.id, prefs)
      .catch((error: unknown) => showToast(explain(text, error)));
  return [
    ...(isUnread
      ? [{ name: texts.read, icon: CheckIcon, run: () => chat().rooms.markRead(room.id, seq) }]
      : mayBeUnread
        ? [{ name: texts.unread, icon: UnreadIcon, run: () => keepUnread(room.id, Math.max(0, seq - 1)) }]
        : []),
    me.starred
      ? { name: texts.unstar, icon: StarOffIcon, run: tell({ starred: false }) }
      : { name: texts.star, icon: StarIcon, run: tell({ starred: true }) },
    isMuted
      ? { name: texts.unmute, icon: BellIcon, run: tell({ notify: null, notify_muted_until: null }) }
      : { name: texts.mute, icon: BellOffIcon, run: tell({ notify: 'none' }) },
    {
      name: isDirect ? search.inConversation : search.inRoom,
      icon: SearchIcon,
      beginsGroup: true,
      run: () => openSearch(inRoom(room)),
    },
    copyLink(room.id, texts),
    {
      name: isDirect ? texts.conversation : texts.settings,
      icon: GearIcon,
      // As from the room's header: on a phone the list of parts comes first.
      run: () => showIn(room.id, !isDirect && window.matchMedia(NARROW).matches ? 'settings' : 'about'),
    },
    ...(isDirect ? [] : [leave(own, texts, text)]),
  ];
}

/** Opens the room and a panel of it: the way back leads to the room. */
function showIn(roomId: number, panel: Panel): void {
  navigate(roomPath(roomId));
  showPanel(roomId, panel);
}

function copyLink(roomId: number, texts: ScreenTexts['rowMenu']): Action {
  const link = new URL(roomPath(roomId), window.location.origin).href;
  const run = async () =>
    showToast((await copyText(link)) ? screenTexts().message.linkCopied : texts.linkNotCopied(link));
  return { name: texts.copyLink, icon: LinkIcon, run: () => void run() };
}

/** A public room is left at once, and joined again by Undo. To a private one there may be no way back. */
function leave({ room }: ListedRoom, texts: ScreenTexts['rowMenu'], text: Catalogue): Action {
  const look = { icon: SignOutIcon, isDanger: true, beginsGroup: true } as const;
  if (room.kind !== 'public') {
    return { ...look, name: texts.leavePrivate, run: () => showIn(room.id, 'about') };
  }
  const run = () =>
    void leaveRoom(room, texts, text).catch((error: unknown) => showToast(explain(text, error)));
  return { ...look, name: texts.leave, run };
}

import { CopyIcon, LinkIcon, PencilIcon } from '../../ui/icons.tsx';
import {
  AlertIcon,
  BellIcon,
  BookmarkIcon,
  PersonIcon,
  PinIcon,
  ReplyIcon,
  ShieldIcon,
  SmileIcon,
  ThreadIcon,
  TrashIcon,
  UnreadIcon,
} from '../../ui/late-icons.tsx';
import type { Command } from './message-commands.ts';

export const COMMAND_ICONS = {
  react: SmileIcon,
  reply: ReplyIcon,
  thread: ThreadIcon,
  edit: PencilIcon,
  pin: PinIcon,
  save: BookmarkIcon,
  copy_text: CopyIcon,
  copy_link: LinkIcon,
  unread: UnreadIcon,
  why: BellIcon,
  profile: PersonIcon,
  report: AlertIcon,
  moderate: ShieldIcon,
  delete: TrashIcon,
} as const satisfies Record<Command, unknown>;

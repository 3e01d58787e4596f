import { expect, test } from 'vitest';
import type { Notice } from '../../../../protocol/notices.ts';
import { screensEn as en } from '../../i18n/screens-en.ts';
import { screensZh as zh } from '../../i18n/screens-zh.ts';
import { noticeSentence } from './notice-sentence.ts';

const by = { user_id: 1, username: 'ann' };
const member = { user_id: 2, username: 'bo', role: 'moderator' as const };
const room = {
  kind: 'private' as const,
  name: 'ops',
  topic: 'Who is on call',
  description: '',
  emoji: '🚨',
  archived: false,
  settings: {},
};

const NOTICES: readonly (readonly [Notice, string, string])[] = [
  [{ kind: 'renamed', by, room }, 'ann renamed the room to ops', 'ann 将房间改名为 ops'],
  [{ kind: 'topic', by, room }, 'ann set the topic: Who is on call', 'ann 设置了话题：Who is on call'],
  [{ kind: 'topic', by, room: { ...room, topic: '' } }, 'ann removed the topic', 'ann 移除了话题'],
  [{ kind: 'description', by, room }, 'ann changed the description', 'ann 修改了简介'],
  [{ kind: 'emoji', by, room }, 'ann gave the room the emoji 🚨', 'ann 将房间图标设为 🚨'],
  [{ kind: 'emoji', by, room: { ...room, emoji: null } }, 'ann removed the emoji', 'ann 移除了房间图标'],
  [
    { kind: 'hue', by, room: { ...room, hue: 'leaf' } },
    'ann painted the door leaf green',
    'ann 将房门漆成了叶绿色',
  ],
  [
    { kind: 'hue', by, room: { ...room, hue: null } },
    'ann took the paint off the door',
    'ann 去掉了房门的颜色',
  ],
  [{ kind: 'hue', by, room }, 'ann painted the door', 'ann 重新漆了房门'],
  [{ kind: 'made_private', by, room }, 'ann made the room private', 'ann 将房间设为私密'],
  [{ kind: 'archived', by, room }, 'ann archived the room', 'ann 归档了房间'],
  [{ kind: 'restored', by, room }, 'ann restored the room', 'ann 恢复了房间'],
  [{ kind: 'settings', by, room }, 'ann changed the settings', 'ann 修改了设置'],
  [{ kind: 'joined', by: member, member }, 'bo joined', 'bo 加入了房间'],
  [{ kind: 'left', by: member, member: { ...member, role: null } }, 'bo left', 'bo 离开了房间'],
  [{ kind: 'added', by, member }, 'ann added bo', 'ann 添加了 bo'],
  [{ kind: 'removed', by, member: { ...member, role: null } }, 'ann removed bo', 'ann 移除了 bo'],
  [{ kind: 'role', by, member }, 'ann made bo a moderator', 'ann 将 bo 设为版主'],
  [{ kind: 'role', by, member: { ...member, role: 'owner' } }, 'ann made bo an owner', 'ann 将 bo 设为房主'],
  [{ kind: 'role', by, member: { ...member, role: 'member' } }, 'ann made bo a member', 'ann 将 bo 设为成员'],
];

const plain = (sentence: string) => sentence.replace(/[\u2068\u2069]/g, '');

test.each(NOTICES)('every notice has its sentence in both languages: %j', (notice, english, chinese) => {
  expect(plain(noticeSentence(en, notice))).toBe(english);
  expect(plain(noticeSentence(zh, notice))).toBe(chinese);
});

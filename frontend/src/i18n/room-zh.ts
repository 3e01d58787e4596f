/** The texts of a room that the first paint does not need, in Simplified Chinese. */
import { namesZh, peopleZh } from './names-zh.ts';
import { countZh } from './numbers-zh.ts';
import type { RoomTexts } from './room-en.ts';

export const roomZh: RoomTexts = {
  people: {
    close: '关闭',
    you: '（你）',
    more: (n) => `还有 ${countZh.format(n)} 人`,
    unknown: '恢复连接后显示。',
  },

  roles: { owner: '房主', moderator: '管理员', member: '成员' },

  notices: {
    renamed: (by, name) => `${by} 将房间改名为 ${name}`,
    topic: (by, topic) => `${by} 设置了话题：${topic}`,
    topicGone: (by) => `${by} 移除了话题`,
    description: (by) => `${by} 修改了简介`,
    emoji: (by, emoji) => `${by} 将房间图标设为 ${emoji}`,
    emojiGone: (by) => `${by} 移除了房间图标`,
    made_private: (by) => `${by} 将房间设为私密`,
    archived: (by) => `${by} 归档了房间`,
    restored: (by) => `${by} 恢复了房间`,
    settings: (by) => `${by} 修改了设置`,
    joined: (who) => `${who} 加入了房间`,
    left: (who) => `${who} 离开了房间`,
    added: (by, who) => `${by} 添加了 ${who}`,
    removed: (by, who) => `${by} 移除了 ${who}`,
    role: (by, who, role) => `${by} 将 ${who} 设为${role}`,
  },

  arrivals: {
    joined: (names) => `${peopleZh(names)}加入了房间`,
    left: (names) => `${peopleZh(names)}离开了房间`,
    visited: (names) => `${peopleZh(names)}加入后又离开了`,
  },

  banner: {
    originRefused: (origin) => `服务器拒绝来自 ${origin} 的实时连接，请联系管理员检查代理设置。`,
    retryIn: (seconds) => `${countZh.format(seconds)} 秒后重新连接`,
    retryNow: '立即重试',
    waiting: (status, n) => `${status}，${countZh.format(n)} 条消息待发送`,
    upToDate: (missed) => (missed === 0 ? '已恢复连接' : `已恢复连接，${countZh.format(missed)} 条新消息`),
  },

  timeline: {
    older: '加载更早的消息',
    olderFailed: '更早的消息加载失败。',
    newer: '加载更新的消息',
    newerFailed: '更新的消息加载失败。',
    unread: (n) => `${countZh.format(n)} 条新消息`,
    toUnread: '跳到第一条未读',
    markRead: '标为已读',
    seekingUnread: '正在加载…',
    announce: (name, content) => `${name}：${content}`,
    announceMany: (n, last) => `${countZh.format(n)} 条新消息，最新一条来自 ${last}`,
    newMessages: (n) => `${countZh.format(n)} 条新消息`,
    toEnd: (n) => (n === 0 ? '跳到最新消息' : `跳到最新消息，${countZh.format(n)} 条未读`),
  },

  composing: {
    typing: (names) => (names.length > 2 ? '多人正在输入…' : `${namesZh(names)} 正在输入…`),
    formatting: '格式',
    link: '链接',
    list: '列表',
    sendParts: (n) => `分成 ${countZh.format(n)} 条消息发送`,
  },

  empty: {
    title: '还没有消息',
    hint: (name) => `打个招呼，在 ${name} 开始聊天吧。`,
    copyInvite: '复制邀请链接',
  },

  roomGone: {
    title: '这个房间不存在',
    hint: '链接可能已失效或有误。',
    action: '前往房间列表',
  },

  room: {
    title: '房间设置',
    about: '关于',
    members: '成员',
    pins: '置顶',
    invites: '邀请',
    notifications: '通知',
    tabs: '设置分类',
    name: '名称',
    topic: '话题',
    topicRule: '一行文字，显示在名称下方。',
    description: '简介',
    emoji: '图标',
    emojiRule: '一个表情，显示在房间图标上。',
    isPublic: '公开：本服务器的任何人都可以找到、阅读和加入。',
    isPrivate: '私密：只有成员知道它的存在。',
    isDm: '私信：参与者固定不变。',
    noTopic: '还没有话题。',
    leave: '离开房间',
    archive: '归档房间',
    restore: '恢复房间',
    archived: '该房间已归档，可以阅读，但不能再发言。',
    refused: '请使用 1–128 个可见字符。',
    findMember: '查找成员',
    add: '添加成员',
    addSomeone: (name) => `添加 ${name}`,
    remove: (name) => `移除 ${name}`,
    role: (name) => `${name} 的角色`,
    owner: '房主',
    moderator: '管理员',
    member: '成员',
    you: '（你）',
    more: '显示更多',
    nobody: '没有找到任何人',
    nobodyHint: '试试输入名字的一部分。',
    invite: '创建邀请链接',
    inviteHint: '打开链接的人都可以加入，有效期 7 天。',
    inviteOnce: '链接只显示这一次，请在离开前复制。',
    copy: '复制链接',
    copied: '已复制',
    noInvites: '没有有效的邀请',
    noInvitesHint: '创建一个链接，邀请别人加入。',
    mayNotInvite: '只有管理员可以邀请他人。',
    by: (name) => `来自 ${name}`,
    ends: (when) => `${when} 到期`,
    uses: (n, max) =>
      max === null
        ? `已使用 ${countZh.format(n)} 次`
        : `已使用 ${countZh.format(n)}/${countZh.format(max)} 次`,
    revoke: '终止',
    revokeOne: (name) => `终止 ${name} 的邀请`,
    notify: '通知范围',
    all: '所有消息',
    mentions: '仅提及我的',
    none: '不通知',
    muteFor: '静音',
    muteOff: '不静音',
    muteSpans: { hour: '1 小时', night: '8 小时', week: '1 周' },
    mutedUntil: (when) => `至 ${when}`,
    muted: '已静音：只有提及你时才会提醒。',
    star: '加星标',
    starHint: '加了星标的房间排在列表前面。',
    membersOnly: '加入房间后才能修改。',
  },

  bar: {
    looking: (name) => `你正在查看 ${name}`,
    join: '加入',
    waiting: '恢复连接后自动加入',
    archived: '该房间已归档',
  },
};

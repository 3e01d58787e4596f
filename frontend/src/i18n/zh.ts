/** Every text of the client, in Simplified Chinese. */
import type { Catalogue } from './en.ts';
import { countZh } from './numbers-zh.ts';

const conjunction = new Intl.ListFormat('zh-CN', { type: 'conjunction' });

/** "ann", "ann 和 bo", "ann、bo 和 cy": names in Latin letters have spaces around the word between them. */
function list(names: readonly string[]): string {
  const parts = conjunction.formatToParts(names);
  return parts.map(({ type, value }) => (type === 'literal' && value === '和' ? ' 和 ' : value)).join('');
}

/** "ann ", "ann 和 bo ", "ann、bo 等 5 人": the subject of a verb. */
function people(names: readonly string[]): string {
  if (names.length <= 3) return `${list(names)} `;
  return `${names.slice(0, 2).join('、')} 等 ${countZh.format(names.length)} 人`;
}

export const zh: Catalogue = {
  locale: 'zh-CN',
  appName: 'Roomful',
  number: (n) => countZh.format(n),

  errors: {
    unreachable: '无法连接服务器，请检查网络后重试。',
    tooMany: '操作太快了，请稍后再试。',
    server: '服务器出错了，请稍后再试。',
    other: '操作失败，请重试。',
    notLoaded: '加载失败，请检查网络后重试。',
  },

  sidebar: {
    label: '房间',
    newRoom: '新建房间',
    search: '搜索房间',
    clearSearch: '清除搜索',
    online: (n) => `${countZh.format(n)} 人在线`,
    none: '还没有房间',
    createFirst: '创建房间',
    noneHint: '创建一个房间，邀请大家加入。',
    noMatch: (query) => `没有与“${query}”匹配的房间。`,
    createIt: (query) => `创建“${query}”`,
    failed: '房间列表加载失败。',
    retry: '重试',
    loading: '正在加载房间',
    results: '结果',
    searching: '正在搜索…',
    unread: (n) => `${countZh.format(n)} 条未读消息`,
    badge: (n) => (n > 99 ? '99+' : countZh.format(n)),
    browse: '浏览房间',
    newMessage: '新私信',
    draft: '草稿',
    you: '我',
    last: (author, excerpt) => `${author}：${excerpt}`,
    groups: { unread: '未读', starred: '星标', rooms: '房间', direct: '私信' },
    mentions: (n) => `${countZh.format(n)} 次提及`,
    muted: '已静音',
    switcher: '跳转到房间',
  },

  me: {
    menu: '账号菜单',
    signedInAs: '当前账号',
    theme: '主题',
    auto: '跟随系统',
    light: '浅色',
    dark: '深色',
    language: '语言',
    latency: (ms) => `网络延迟：${countZh.format(ms)} 毫秒`,
    settings: '设置',
    signOut: '退出登录',
  },

  room: {
    unnamed: (id) => `房间 ${id}`,
    back: '返回房间列表',
    online: (n) => `${countZh.format(n)} 人在线`,
    gone: '这个房间不存在',
    goneHint: '链接可能已失效或有误。',
    goneAction: '前往房间列表',
    timeline: (name) => `${name} 中的消息`,
    empty: '还没有消息',
    emptyHint: (name) => `打个招呼，在 ${name} 开始聊天吧。`,
    copyInvite: '复制邀请链接',
    notLoaded: '恢复连接后加载',
    beginning: (name) => `${name} 的消息从这里开始。`,
    older: '加载更早的消息',
    olderFailed: '更早的消息加载失败。',
    loading: '正在加载消息',
    newDivider: '新消息',
    unread: (n) => `${countZh.format(n)} 条新消息`,
    toUnread: '跳到第一条未读',
    markRead: '标为已读',
    seekingUnread: '正在加载…',
    announce: (name, content) => `${name}：${content}`,
    announceMany: (n, last) => `${countZh.format(n)} 条新消息，最新一条来自 ${last}`,
    newMessages: (n) => `${countZh.format(n)} 条新消息`,
    toEnd: (n) => (n === 0 ? '跳到最新消息' : `跳到最新消息，${countZh.format(n)} 条未读`),
    today: '今天',
    yesterday: '昨天',
    joined: (names) => `${people(names)}加入了房间`,
    left: (names) => `${people(names)}离开了房间`,
    visited: (names) => `${people(names)}加入后又离开了`,
    whenBack: '恢复连接后自动发送',
    showAll: '展开全部',
    showLess: '收起',
    copyText: '复制文字',
    actions: '消息操作',
    copyLink: '复制房间链接',
    linkCopied: '链接已复制',
    linkNotCopied: (link) => `复制失败，链接如下：${link}`,
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

  people: {
    title: '在线成员',
    close: '关闭',
    you: '（你）',
    more: (n) => `还有 ${countZh.format(n)} 人`,
    unknown: '恢复连接后显示。',
  },

  dialogs: {
    close: '关闭',
  },

  content: {
    copy: '复制代码',
    copied: '已复制',
  },

  composer: {
    label: '消息',
    placeholder: (room) => `发消息到 ${room}`,
    send: '发送',
    overLimit: (limit) => `内容过长，上限为 ${countZh.format(limit)} 个字符。`,
    formatting: '格式',
    link: '链接',
    list: '列表',
    sendParts: (n) => `分成 ${countZh.format(n)} 条消息发送`,
    tooLong: (over) => `超出 ${countZh.format(over)} 个字符`,
    counter: (used, limit) => `${countZh.format(used)} / ${countZh.format(limit)}`,
    typing: (names) => (names.length > 2 ? '多人正在输入…' : `${list(names)} 正在输入…`),
  },

  update: {
    ready: '新版本已就绪',
    reload: '重新加载',
    later: '以后再说',
  },

  connection: {
    connected: '已连接',
    connecting: '正在连接…',
    reconnecting: '正在重新连接…',
    offline: '离线',
    online: '在线',
    originRefused: (origin) => `服务器拒绝来自 ${origin} 的实时连接，请联系管理员检查代理设置。`,
    retryIn: (seconds) => `${countZh.format(seconds)} 秒后重新连接`,
    retryNow: '立即重试',
    waiting: (status, n) => `${status}，${countZh.format(n)} 条消息待发送`,
    upToDate: (missed) => (missed === 0 ? '已恢复连接' : `已恢复连接，${countZh.format(missed)} 条新消息`),
  },
};

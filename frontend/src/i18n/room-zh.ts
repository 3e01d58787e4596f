/** The texts of a room that the first paint does not need, in Simplified Chinese. */
import { countZh } from './numbers-zh.ts';
import type { RoomTexts } from './room-en.ts';

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

export const roomZh: RoomTexts = {
  people: {
    close: '关闭',
    you: '（你）',
    more: (n) => `还有 ${countZh.format(n)} 人`,
    unknown: '恢复连接后显示。',
  },

  thread: {
    title: '话题',
    answers: '回复',
    replyingTo: '正在回复',
    cancelReply: '取消回复',
    quoteMissing: '无法查看原消息。',
    quoteDeleted: '此消息已删除。',
    quoteBlocked: '来自你屏蔽的人的消息',
    replies: (n) => `${countZh.format(n)} 条回复`,
    new: (n) => `${countZh.format(n)} 条新回复`,
    resolved: '已解决',
    resolve: '标为已解决',
    follow: '关注',
    following: '已关注',
    addTitle: '添加标题',
    editTitle: '编辑标题',
    titleLabel: '话题标题',
    save: '保存',
    older: '显示更早的回复',
    composer: '在此话题中回复',
    alsoInRoom: '同时发到房间',
    page: '话题',
    hint: '你关注的话题。',
    none: '你还没有关注话题。',
    noneHint: '发起或回复话题后会自动关注，也可以在话题中选择“关注”。',
    newThreads: (n) => `${countZh.format(n)} 个话题有新回复`,
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
    joined: (names) => `${people(names)}加入了房间`,
    left: (names) => `${people(names)}离开了房间`,
    visited: (names) => `${people(names)}加入后又离开了`,
  },

  message: {
    actions: '消息操作',
    more: '更多',
    undo: '撤销',
    cancel: '取消',
    save: '保存',
    close: '关闭',
    you: '我',
    commands: {
      react: '添加表情',
      reply: '回复',
      thread: '话题',
      edit: '编辑',
      pin: '置顶到房间',
      unpin: '取消置顶',
      save: '收藏',
      unsave: '取消收藏',
      copy_text: '复制文字',
      copy_link: '复制链接',
      unread: '从这里标为未读',
      why: '为什么通知我，或没有通知我？',
      profile: '个人资料',
      delete: '删除',
    },
    reactWith: (emoji) => `用 ${emoji} 回应`,
    reaction: (emoji, n) => `${emoji}，${countZh.format(n)} 个回应`,
    count: (n) => `${countZh.format(n)}`,
    who: (names, others, emoji) =>
      others === 0
        ? `${list(names)} 用 ${emoji} 回应`
        : `${names.join('、')} 等 ${countZh.format(names.length + others)} 人用 ${emoji} 回应`,
    pinned: '已置顶',
    gone: '此消息已删除',
    deleted: '消息已删除',
    saved: '已收藏',
    unsaved: '已取消收藏',
    textCopied: '文字已复制',
    linkCopied: '链接已复制',
    notCopied: '复制失败。',
    markedUnread: '已从那里标为未读',
    editing: '编辑消息',
    editingHint: '按回车键保存，按退出键取消',
    conflict: '此消息同时在别处被编辑过，见上方。你的版本：',
    keepMine: '使用我的',
    keepTheirs: '保留上方的',
    revisions: '此消息的编辑记录',
    editedAt: (time) => `编辑于 ${time}`,
    writtenAt: (time) => `写于 ${time}`,
  },

  pins: {
    title: '置顶消息',
    none: '还没有置顶消息',
    noneHint: '在消息的菜单中，将大家需要再次找到的内容置顶。',
  },

  savedPage: {
    title: '收藏',
    hint: '你留待以后查看的消息，只有你能看到。',
    none: '还没有收藏',
    noneHint: '在消息的菜单中收藏，或聚焦消息后按快捷键。',
    take: '移除',
    more: '显示更多',
  },

  changes: {
    refused: (kind, code) => {
      const what =
        {
          edit: '编辑未保存',
          delete: '消息未删除',
          reaction: '回应未添加',
          pin: '消息未置顶',
          saved: '消息未收藏',
        }[kind] ?? '操作未保存';
      if (code === 'not allowed') return `${what}：你在这里没有权限。`;
      if (code === 'limit reached') return `${what}：数量已达上限。`;
      if (/not found|changed/.test(code)) return `${what}：消息已不存在。`;
      return `${what}：服务器拒绝了。`;
    },
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

  jump: {
    gone: '这条消息已不在这里，或者你无权查看。',
    toLatest: '查看最新消息',
    again: '重试',
    title: '跳到某一天',
    date: '日期',
    action: '跳转',
    nothing: '这个房间里还没有消息。',
  },

  composing: {
    typing: (names) => (names.length > 2 ? '多人正在输入…' : `${list(names)} 正在输入…`),
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

  blocked: {
    message: '来自你屏蔽的用户的消息',
    show: '显示',
  },

  notSent: {
    why: (code) => {
      if (code === 'invalid_content') return '未发送：内容为空或过长。';
      if (code === 'room_not_found') return '未发送：房间不存在。';
      if (code === 'other_database') return '未发送：写下之后服务器已被恢复。';
      return '未发送：被服务器拒绝。';
    },
    retry: '重试',
    send: '发送',
    edit: '编辑',
    discard: '删除',
  },
};

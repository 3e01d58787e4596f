/** The texts of messages and threads, in Simplified Chinese. They are loaded with the screens. */
import type { MessageTexts } from './messages-en.ts';
import { namesZh } from './names-zh.ts';
import { countZh } from './numbers-zh.ts';

export const messagesZh: MessageTexts = {
  thread: {
    title: '讨论串',
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
    people: (n) => `${countZh.format(n)} 人`,
    follow: '关注',
    unfollow: '取消关注',
    addTitle: '添加标题',
    editTitle: '编辑标题',
    titleLabel: '讨论串标题',
    save: '保存',
    older: '显示更早的回复',
    composer: '在此讨论串中回复',
    alsoInRoom: '同时发到房间',
    page: '讨论串',
    began: (who, room) => `${who} 在 ${room} 发起了讨论串`,
    hint: '你关注的讨论串。',
    none: '你还没有关注讨论串',
    noneHint: '发起或回复讨论串后会自动关注，也可以在讨论串中选择“关注”。',
    newThreads: (n) => `${countZh.format(n)} 个讨论串有新回复`,
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
      thread: '讨论串',
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
      report: '举报',
      moderate: '禁言或封禁作者',
      delete: '删除',
    },
    reactWith: (emoji) => `用 ${emoji} 回应`,
    reaction: (emoji, n) => `${emoji}，${countZh.format(n)} 个回应`,
    count: (n) => `${countZh.format(n)}`,
    who: (names, others, emoji) =>
      others === 0
        ? `${namesZh(names)} 用 ${emoji} 回应`
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
    editingHint: '按回车键保存，按 Esc 键取消',
    editStopped: {
      deleted: '此消息已被删除。你的文字无法保存，但可以复制。',
      archived: '这个房间已归档。你的文字无法保存，但可以复制。',
      muted: '你现在不能在这里发言。你的文字无法保存，但可以复制。',
    },
    editEmpty: '消息不能为空。你可以将其删除。',
    deleteThis: '删除消息',
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
    lead: (who, room) => (room === null ? `${who} 写道` : `${who} 在 ${room} 写道`),
    hint: '你留待以后查看的消息，只有你能看到。',
    none: '还没有收藏',
    noneHint: '在消息的菜单中收藏。',
    take: '移除',
    note: '备注',
    notePlaceholder: '只有你能看到',
    addNote: '添加备注',
    editNote: '编辑备注',
    saveNote: '保存',
    noteTooLong: (max) => `备注最多 ${max} 个字符。`,
    more: '显示更多',
  },

  changes: {
    refused: (kind, code) => {
      const what =
        {
          edit: '编辑未保存',
          delete: '消息未删除',
          reaction: '回应未保存',
          pin: '置顶状态未更改',
          saved: '收藏状态未更改',
        }[kind] ?? '操作未保存';
      if (code === 'archived') return `${what}：房间已归档。`;
      if (code === 'room not found') return `${what}：你已无法查看这个房间。`;
      if (code === 'payload_too_large') return '未发送：文件过大。';
      if (code === 'no_space') return '未发送：服务器空间不足。';
      if (code === 'too_many') return '未发送：你有太多待发送的文件。';
      if (code === 'invalid_files') return '未发送：文件已不在服务器上。';
      if (code === 'unreadable' || code === 'choose_again')
        return '未发送：此设备上已没有该文件。请编辑并重新选择。';
      if (code === 'other_database') return `${what}：服务器在此之后恢复过数据。`;
      if (code === 'not allowed') return `${what}：你在这里没有权限。`;
      if (code === 'limit reached') return `${what}：数量已达上限。`;
      if (/not found|changed/.test(code)) return `${what}：消息已不存在。`;
      return `${what}：服务器拒绝了。`;
    },
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

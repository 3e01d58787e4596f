/** Every text of the client, in Simplified Chinese. */
import type { Catalogue } from './en.ts';
import { countZh } from './numbers-zh.ts';

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
    new: '新建',
    search: '搜索或跳转',
    loading: '正在加载房间',
    results: '结果',
    unread: (n) => `${countZh.format(n)} 条未读消息`,
    badge: (n) => (n > 99 ? '99+' : countZh.format(n)),
    browse: '浏览房间',
    browseShort: '浏览',
    readAll: '全部标为已读',
    more: (n) => `还有 ${countZh.format(n)} 个`,
    fewer: '收起',
    newMessage: '新私信',
    menu: (room) => `${room} 的菜单`,
    draft: '草稿',
    you: '我',
    last: (author, words) => `${author}：${words}`,
    lastFiles: (n) => (n > 0 ? `${countZh.format(n)} 个文件` : '消息已删除'),
    groups: { unread: '未读', starred: '星标', rooms: '房间', direct: '联系人' },
    mentions: (n) => `${countZh.format(n)} 次提及`,
    muted: '已静音',
  },

  tabs: { label: '页面', rooms: '房间', you: '我' },

  me: {
    menu: '账号菜单',
  },

  room: {
    unnamed: (id) => `房间 ${id}`,
    back: '返回房间列表',
    online: (n) => `${countZh.format(n)} 人在线`,
    timeline: (name) => `${name} 中的消息`,
    notLoaded: '恢复连接后加载',
    loading: '正在加载消息',
    newDivider: '新消息',
    today: '今天',
    yesterday: '昨天',
    whenBack: '恢复连接后自动发送',
    edited: '（已编辑）',
    showAll: '展开全部',
    showLess: '收起',
  },

  people: {
    title: '在线成员',
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
  },

  connection: {
    connected: '已连接',
    connecting: '正在连接…',
    reconnecting: '正在重新连接…',
    offline: '离线',
    online: '在线',
  },
};

/** The texts of the screens that the first paint does not need, in Simplified Chinese. */
import { administrationZh } from './administration-zh.ts';
import { composeZh } from './compose-zh.ts';
import { filesZh } from './files-zh.ts';
import { formsZh } from './forms-zh.ts';
import { messagesZh } from './messages-zh.ts';
import { namesZh } from './names-zh.ts';
import { notificationsZh } from './notifications-zh.ts';
import { countZh } from './numbers-zh.ts';
import { picturesZh } from './pictures-zh.ts';
import { roomZh } from './room-zh.ts';
import type { ScreenTexts } from './screens-en.ts';
import { searchZh } from './search-zh.ts';

export const screensZh: ScreenTexts = {
  ...formsZh,
  ...roomZh,
  ...messagesZh,
  ...composeZh,
  ...filesZh,
  ...picturesZh,
  ...notificationsZh,
  ...administrationZh,
  ...searchZh,

  hiddenCharacter: '其中有看不见的字符，请重新输入。',
  failed: '加载失败。',
  offline: '你已离线',
  offlineHint: '此设备上还没有此页面的内容，恢复连接后即可显示。',
  again: '重试',
  loading: '正在加载…',
  save: '保存',
  saved: '已保存',
  close: '关闭',
  back: '返回',
  threshold: {
    welcome: (name) => `欢迎来到 ${name}`,
    isPublic: '此服务器上的任何人都能找到并加入。',
    isPrivate: '只有受邀的人才能找到。',
    isArchived: '已归档：可以阅读，但不能再发言。',
    first: '还没有人发言。',
    invite: '邀请他人',
    copyInvite: '复制邀请链接',
    copyLink: '复制此房间的链接',
    copied: '链接已复制',
    door: '换一扇门',
    topic: '设置话题',
  },

  update: {
    ready: '新版本已就绪',
    reload: '重新加载',
    later: '以后再说',
  },

  broken: {
    title: '无法显示此内容',
    hint: '你写的内容都还在。请重新加载再试。',
  },

  menu: {
    theme: '主题',
    auto: '跟随系统',
    light: '浅色',
    dark: '深色',
    language: '语言',
    settings: '设置',
    signOut: '退出登录',
    signedInAs: '当前账号',
    latency: (ms) => `网络延迟：${countZh.format(ms)} 毫秒`,
  },

  list: {
    createFirst: '创建房间',
    createIt: (query) => `创建“${query}”`,
    searching: '正在搜索…',
    none: '还没有房间',
    noneHint: '创建一个房间，邀请大家加入。',
    failed: '房间列表加载失败。',
    retry: '重试',
  },

  browse: {
    title: '浏览房间',
    hint: '这里是本服务器的所有公开房间。可以随意查看，加入后会留在你的列表中。',
    search: '查找房间',
    members: (n) => `${countZh.format(n)} 位成员`,
    join: '加入',
    joined: '已加入',
    none: '没有找到房间',
    noneHint: '换个词试试，或者自己创建这个房间。',
  },

  invite: {
    to: (inviter, name) => `${inviter} 邀请你加入 ${name}`,
    toServer: (name) => `邀请你加入 ${name}`,
    topic: (topic) => `“${topic}”`,
    members: (n) => `已有 ${countZh.format(n)} 人加入。`,
    people: (names) => namesZh(names),
    serverHint: '只需用户名和密码。',
    accept: '加入房间',
    ended: '该邀请已失效',
    endedHint: '请向发送者索取新的邀请。',
    toRooms: '前往我的房间',
    endedNotice: '该邀请已失效，请向发送者索取新的邀请。',
  },

  invitePeople: {
    title: '邀请他人',
    hint: '对方打开链接并注册或登录后，即可进入房间。',
    room: '房间',
    none: '你还没有可以邀请他人的房间。',
  },

  home: {
    pick: '选择一个房间',
    pickHint: '从左侧选择一个房间，或新建一个。',
    welcome: (name) => `欢迎，${name}`,
    welcomeHint: '创建房间并邀请他人，或浏览已有的房间。',
  },

  setup: {
    title: '钥匙在你手里',
    hint: '该服务器还没有管理员。管理员负责管理房间和用户。',
    claim: '成为管理员',
    done: '你现在是管理员了',
    doneHint: '该链接已用完，其他人无法再使用。',
    ended: '该链接已失效',
    endedHint: '链接只能使用一次，并在服务器重启后失效；新的链接见服务器日志。',
    administer: '打开管理页面',
    toRooms: '前往我的房间',
    signIn: '请先注册或登录，该账号即可成为管理员。',
  },

  dm: {
    title: '新私信',
    hint: '选择一人，最多九人。只有你们可以看到内容。',
    find: '查找成员',
    start: '开始',
    notes: '写给自己',
    choose: '选择',
    chosen: '已选择',
    take: '移除',
    nobody: '没有找到任何人',
    beginning: (names) => `你与 ${names} 的对话从这里开始。`,
    readBy: (names) => `只有你和 ${names} 能看到这里的内容。`,
    readNotes: '只有你能看到这里的内容。',
  },

  profile: {
    title: (name) => `${name} 的资料`,
    message: '发私信',
    notes: '我的笔记',
    edit: '编辑资料',
    block: '屏蔽',
    unblock: '取消屏蔽',
    time: (clock) => `当地时间 ${clock}`,
    admin: '管理员',
    guest: '访客',
    bot: '机器人',
    gone: '该账号已停用。',
    more: '更多',
    copyName: '复制用户名',
    nameCopied: '已复制用户名',
    blocked: (name) => `已屏蔽 ${name}。你将看不到对方的消息，对方也无法给你发消息。`,
    isBlocked: '你已屏蔽此人。',
    undo: '撤销',
    until: (when) => `到 ${when}`,
  },

  settings: {
    title: '设置',
    profile: '个人资料',
    name: '显示名称',
    nameRule: (username) => `代替 ${username} 显示，提及时仍使用 ${username}。`,
    zone: '时区',
    zoneRule: '其他人可以看到你的当地时间。',
    look: '外观',
    notifications: '通知',
    password: '密码',
    passwordHint: '更改密码后，除此处外的所有设备都会退出。',
    currentPassword: '当前密码',
    newPassword: '新密码',
    changePassword: '更改密码',
    wrongPassword: '密码不正确。',
    sessions: '登录设备',
    sessionsHint: '你在这些设备上登录。请退出不认识的设备。',
    current: '当前设备',
    end: '退出',
    endOne: (name) => `退出 ${name}`,
    used: (when) => `上次使用 ${when}`,
    unknown: '未知设备',
    blocked: '已屏蔽的人',
    noBlocked: '你没有屏蔽任何人',
    noBlockedHint: '打开某人的资料即可屏蔽。',
  },

  create: {
    public: '公开',
    private: '私密',
    kind: '可见范围',
    publicHint: '本服务器的任何人都可以找到并加入。',
    privateHint: '只有你添加的人知道它。',
    topic: '话题（可选）',
  },

  rowMenu: {
    read: '标为已读',
    unread: '标为未读',
    star: '加星标',
    unstar: '取消星标',
    mute: '静音',
    unmute: '取消静音',
    copyLink: '复制链接',
    linkNotCopied: (link) => `复制失败，链接如下：${link}`,
    settings: '房间设置',
    conversation: '关于此对话',
    leave: '退出房间',
    leavePrivate: '退出房间…',
    left: (name) => `你已退出 ${name}`,
    undo: '撤销',
  },

  readAll: {
    done: '所有房间已标为已读',
    undo: '撤销',
  },
};

/** The texts of what helps one to write, in Simplified Chinese. */
import type { ComposeTexts } from './compose-en.ts';
import { countZh } from './numbers-zh.ts';

export const composeZh: ComposeTexts = {
  status: {
    title: '设置状态',
    words: '状态',
    emoji: '表情',
    until: '清除时间',
    spans: {
      never: '不清除',
      half_hour: '30 分钟后',
      hour: '1 小时后',
      four_hours: '4 小时后',
      today: '今天结束时',
      week: '本周结束时',
    },
    save: '设置',
    clear: '清除状态',
    suggested: '建议',
    presets: {
      meeting: '开会中',
      commuting: '通勤中',
      sick: '病假',
      holiday: '休假中',
      home: '居家办公',
    },
  },

  emoji: {
    title: '表情',
    search: '搜索表情',
    allGroups: '分类',
    recent: '最近使用',
    own: '本服务器的表情',
    addOwn: '向本服务器添加表情',
    found: '搜索结果',
    none: '没有找到表情',
    count: (n) => (n === 0 ? '没有找到表情' : `找到 ${countZh.format(n)} 个表情`),
    groups: {
      smileys: '笑脸与情感',
      people: '人物与身体',
      nature: '动物与自然',
      food: '食物与饮料',
      travel: '旅行与地点',
      activities: '活动',
      objects: '物品',
      symbols: '符号',
      flags: '旗帜',
    },
    tone: '肤色',
    tones: ['黄色', '浅色', '中浅色', '中等', '中深色', '深色'],
  },

  completing: {
    people: '可以提及的人',
    emoji: '表情',
    count: (n) => (n === 0 ? '没有建议' : `${countZh.format(n)} 条建议`),
    notHere: '不在此房间',
    calls: {
      room: (n) => `通知此房间的所有人（${countZh.format(n)}）`,
      here: (n) => `通知所有在线的人（${countZh.format(n)}）`,
    },
    mayNotCall: '只有版主可以通知此房间的所有人。这条消息不会通知任何人。',
    outsider: (name) => `${name} 不在此房间，不会收到通知。`,
    invite: '添加到房间',
    notify: (n) => `通知 ${countZh.format(n)} 人？`,
    notifyHint: {
      room: '你的消息提及了此房间的所有人。',
      here: '你的消息提及了此房间所有在线的人。',
    },
    stay: '继续编辑',
    send: '通知并发送',
  },
};

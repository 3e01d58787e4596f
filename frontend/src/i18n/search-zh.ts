/** The texts of the search for messages, in Simplified Chinese. */
import { countZh } from './numbers-zh.ts';
import type { SearchTexts } from './search-en.ts';

export const searchZh: SearchTexts = {
  search: {
    title: '搜索消息',
    placeholder: '搜索消息',
    clear: '清空搜索',
    results: '找到的消息',
    count: (n, hasMore) => (hasMore ? `已找到 ${countZh.format(n)} 条` : `${countZh.format(n)} 条结果`),
    searching: '正在搜索…',
    thread: '在讨论串里',
    none: '没有找到',
    failed: '搜索失败。',
    again: '重试',
    more: '显示更早的',
    moreFailed: '无法加载更多。',
    further: '继续往前搜索',
    furtherHint: '消息很多，更早的地方可能还有结果。',
    busy: '你的搜索太频繁，稍后会自动继续。',
    start: '找回说过的话',
    startHint: '搜索你所在的所有房间和私信。',
    files: (n) => `另有 ${countZh.format(n)} 个`,
    messagesWith: (query) => `搜索包含“${query}”的消息`,
    inRoom: '在此房间中搜索',
    inConversation: '在此对话中搜索',
  },
};

/** The texts of pictures of people and of the server, in Chinese. */
import { countZh } from './numbers-zh.ts';
import type { PictureTexts } from './pictures-en.ts';

export const picturesZh: PictureTexts = {
  pictures: {
    add: '添加图片',
    change: '更换图片',
    remove: '移除',
    hint: '也可以将图片拖放或粘贴到这里。',
    saved: '图片已保存。',
    removed: '图片已移除。',
    crop: '选择要显示的部分',
    part: '图片中要显示的部分',
    cropHint: '拖动图片，或用方向键移动。',
    zoom: '缩放',
    percent: (n) => `${countZh.format(n)}%`,
    cancel: '取消',
    use: '使用图片',
    unreadable: '浏览器无法将此文件作为图片打开。请选择 JPEG、PNG 或 WebP。',
    refused: '服务器无法使用这张图片，请换一张。',
  },
  ownEmoji: {
    title: '表情',
    hint: '此服务器的表情，人人可用。在名称前后各加一个冒号输入，或从列表中选择。',
    none: '还没有表情。',
    by: (name) => `由 ${name} 添加`,
    name: '名称',
    nameRule: '2 到 32 个小写字母、数字、- 和 _',
    badName: '名称须为 2 到 32 个小写字母、数字、- 和 _，并以字母或数字开头和结尾。',
    noPicture: '请先选择图片。',
    taken: '已有同名表情，请换一个名称。',
    chosen: '现在给它起个名称。',
    add: '添加表情',
    added: (code) => `已添加 ${code}。`,
    delete: '删除',
    deleteOne: (code) => `删除 ${code}`,
    deleteThis: (code) => `删除 ${code}？`,
    deleteHint: (code) => `用过它的地方会显示文字 ${code}。之后仍可重新添加。`,
    keep: '保留',
  },
};

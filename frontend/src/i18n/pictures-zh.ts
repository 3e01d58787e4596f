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
};

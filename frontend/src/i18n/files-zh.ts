/** The texts of files, in Chinese. */
import type { FileTexts } from './files-en.ts';
import { countZh } from './numbers-zh.ts';

export const filesZh: FileTexts = {
  files: {
    attach: '添加文件',
    tray: '待发送的文件',
    remove: (name) => `移除 ${name}`,
    describe: (name) => `描述 ${name}`,
    description: '描述',
    descriptionHint: '供看不到它的人使用。',
    descriptionCount: (n, limit) => `${countZh.format(n)}/${countZh.format(limit)} 个字符`,
    descriptionSave: '保存',
    descriptionSaved: '描述已保存',
    descriptionRemoved: '描述已移除',
    descriptionAdd: '添加描述',
    actions: (name) => `${name} 的操作`,
    describeFile: '描述…',
    deleteFile: '删除文件…',
    deleteTitle: (name) => `删除 ${name}？`,
    deleteHint: '它会对所有人删除，消息的其余部分保留。此操作无法撤销。',
    deleteLast: '此消息没有其他内容，因此会一并删除。此操作无法撤销。',
    deleteUnknown: '它会对所有人删除。没有其他内容的消息会一并删除。此操作无法撤销。',
    deleteConfirm: '删除文件',
    deletedFile: '文件已删除',
    deletedWithMessage: '文件和消息已删除',
    retry: '重试',
    chooseAgain: '重新选择',
    uploading: (percent) => `${countZh.format(percent)}%`,
    ready: '可以发送',
    sending: (percent) => `正在上传，${countZh.format(percent)}%`,
    paused: (percent) => `恢复连接后继续，${countZh.format(percent)}%`,
    refusal: (code) => {
      if (code === 'payload_too_large') return '文件过大';
      if (code === 'no_space') return '服务器空间不足';
      if (code === 'too_many') return '你有太多待发送的文件';
      if (code === 'not_allowed') return '你不能在此房间发送文件';
      if (code === 'room_not_found') return '此房间已不存在';
      if (code === 'unreadable') return '此设备无法再读取它';
      if (code === 'choose_again') return '请重新选择';
      if (code === 'malware') return '已移除：病毒扫描发现恶意软件';
      if (code === 'broken') return '已移除：服务器无法读取它';
      if (code === 'not_checked') return '已移除：无法检查它';
      return '服务器拒绝了它';
    },
    tooLarge: (name, limit) => `${name} 过大。上限为 ${limit}。`,
    tooMany: (limit) => `一条消息最多可有 ${countZh.format(limit)} 个文件。其余的未添加。`,
    empty: (name) => `${name} 是空文件。`,
    noPlace: '你不能在这里发送文件。',
    off: '此服务器不接受文件。',
    folder: (n) => `发送其中的 ${countZh.format(n)} 个文件吗？`,
    folderHint: (name) => `${name} 是一个文件夹。`,
    folderSend: '添加文件',
    folderEmpty: (name) => `${name} 中没有文件。`,
    drop: (room) => `拖放文件以发送到${room}`,
    dropThread: '拖放文件以发送到此话题',
    dropHint: '按“发送”之前不会发出。',

    picture: '图片',
    pictureOf: (name) => `图片：${name}`,
    more: (n) => `+${countZh.format(n)}`,
    open: (what) => `打开 ${what}`,
    download: '下载',
    downloadOf: (name) => `下载 ${name}`,
    checking: '正在检查…',
    refused: {
      malware: '已移除：病毒扫描发现恶意软件',
      unreadable: '已移除：无法读取它',
      not_checked: '已移除：无法检查它',
    },
    refusedBefore: '此文件已被移除：它未通过检查。',
    gone: '无法加载此文件。',
    kinds: { image: '图片', video: '视频', audio: '音频', file: '文件' },

    viewer: '图片',
    next: '下一张',
    previous: '上一张',
    zoomIn: '放大',
    zoomOut: '缩小',
    showInChat: '在聊天中显示',
    position: (at, of) => `第 ${countZh.format(at)} 张，共 ${countZh.format(of)} 张`,

    words: (n) => `${countZh.format(n)} 个文件`,
    photos: (n) => (n === 1 ? '照片' : `${countZh.format(n)} 张照片`),
    all: '全部',
    none: '还没有文件',
    noneHint: '大家在此房间发送的文件会列在这里。',
    noneOfKind: '没有这类文件',
    noneOfKindHint: '选择“全部”可查看其他文件。',
    filter: '文件类型',
    filters: { picture: '图片', video: '视频', sound: '音频', other: '其他' },
    older: '显示更早的',
  },

  previews: {
    picture: '图片',
    actions: (host) => `${host} 预览的操作`,
    remove: (n) => (n === 1 ? '移除预览…' : `移除 ${countZh.format(n)} 个预览…`),
    removeTitle: (n) => (n === 1 ? '移除此预览？' : `移除 ${countZh.format(n)} 个预览？`),
    removeHint: '消息和其中的链接会保留，但不会再为任何人显示预览，此操作无法撤销。',
    removeConfirm: '移除',
    removed: (n) => (n === 1 ? '已移除预览' : `已移除 ${countZh.format(n)} 个预览`),
  },
};

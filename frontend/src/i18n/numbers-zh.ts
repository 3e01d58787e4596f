/** Numbers in Chinese sentences. */
export const countZh = new Intl.NumberFormat('zh-CN');

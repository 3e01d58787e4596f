/** Whether anything overflows. */
import type { Page } from 'playwright-core';

/** The elements wider than the window or than their own box. Nothing may scroll sideways. */
export async function sidewaysOverflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}`;
    if (document.documentElement.scrollWidth > innerWidth) {
      found.push(`the document: ${document.documentElement.scrollWidth} > ${innerWidth}`);
    }
    for (const element of document.querySelectorAll('body *')) {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const scrolls = overflowX === 'auto' || overflowX === 'scroll';
      if (scrolls && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth) {
        found.push(`${name(element)}: ${element.scrollWidth} > ${element.clientWidth}`);
      }
    }
    return found;
  });
}

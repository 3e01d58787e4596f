/**
 * Draws the icons of the installed client from frontend/public/favicon.svg. The icons are committed. After a change of
 * the mark, run `node scripts/icons.mjs` with Chromium in the PATH.
 */
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { inRoot } from './paths.mjs';
import { main } from './run.mjs';

/** `bleed`: the system cuts the corners itself. The mark lies within the circle that no system cuts away. */
const ICONS = [
  { name: 'icon-192', px: 192, bleed: false },
  { name: 'icon-512', px: 512, bleed: false },
  { name: 'maskable-192', px: 192, bleed: true },
  { name: 'maskable-512', px: 512, bleed: true },
  { name: 'apple-touch-icon', px: 180, bleed: true },
];

await main(async () => {
  const mark = await readFile(inRoot('frontend', 'public', 'favicon.svg'), 'utf8');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  for (const { name, px, bleed } of ICONS) {
    const page = await browser.newPage({ viewport: { width: px, height: px } });
    const drawn = bleed ? mark.replace(/ rx="9"/, '') : mark;
    await page.setContent(`<style>html,body{margin:0}svg{display:block;width:${px}px}</style>${drawn}`);
    await page.screenshot({
      path: inRoot('frontend', 'public', 'icons', `${name}.png`),
      omitBackground: true,
    });
    await page.close();
  }
  await browser.close();
});

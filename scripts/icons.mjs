/**
 * Draws the icons of the installed client from frontend/public/favicon.svg. The icons are committed. After a change of
 * the mark, run `node scripts/icons.mjs` with Chromium in the PATH.
 */
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { inRoot } from './paths.mjs';
import { main } from './run.mjs';

/** The hallway, as in `--hall` of tokens.css. */
const HALL = '#eceefc';
/** How much of the side the mark takes where the system cuts a shape: within the circle that none cuts away. */
const SAFE = 0.64;

/** `bleed`: the system cuts a shape out of it, so the mark stands on the hallway. Otherwise behind it is nothing. */
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
    const [back, side] = bleed ? [HALL, px * SAFE] : ['transparent', px];
    const frame = `display:grid;place-content:center;width:${px}px;height:${px}px;background:${back}`;
    await page.setContent(`<style>body{margin:0;${frame}}svg{display:block;width:${side}px}</style>${mark}`);
    await page.screenshot({
      path: inRoot('frontend', 'public', 'icons', `${name}.png`),
      omitBackground: true,
    });
    await page.close();
  }
  await browser.close();
});

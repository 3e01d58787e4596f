/**
 * `npm run screenshots`: a picture of every screen, in both themes and both widths, into screenshots/.
 * With names, only those screens; with `--readme`, the picture of the README alone.
 */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, NO_CHROMIUM } from './chromium.ts';
import { preferScreenFonts } from './pictures/fonts.ts';
import { livelyRoom, SCREENS } from './pictures/screens.ts';
import { DEVICES, type Device, Studio } from './pictures/studio.ts';
import { World } from './pictures/world.ts';

const README_PICTURE = join('docs', 'images', 'roomful.png');
const README_DEVICE: Device = {
  width: 1280,
  context: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 },
};

async function inStudio(
  browser: Browser,
  device: Device,
  take: (studio: Studio) => Promise<void>,
): Promise<void> {
  const world = await World.build();
  const studio = new Studio(browser, world, device);
  try {
    await take(studio);
  } finally {
    await studio.clear();
    await world.dispose();
  }
}

async function takeScreens(browser: Browser, names: string[]): Promise<void> {
  for (const device of DEVICES) {
    await inStudio(browser, device, async (studio) => {
      for (const [name, screen] of Object.entries(SCREENS)) {
        if (names.length > 0 && !names.includes(name)) continue;
        await screen(studio);
        await studio.clear();
        console.log(`screenshots: ${name}, ${device.width} wide`);
      }
    });
  }
}

async function takeReadmePicture(browser: Browser): Promise<void> {
  await inStudio(browser, README_DEVICE, async (studio) => {
    await studio.shootTo(await livelyRoom(studio), 'light', README_PICTURE);
    console.log(`screenshots: ${README_PICTURE}`);
  });
}

if (chromiumPath === undefined) {
  console.error(NO_CHROMIUM);
  process.exitCode = 1;
} else {
  const given = process.argv.slice(2);
  const fonts = await preferScreenFonts();
  const browser = await launchChromium(fonts.env);
  try {
    if (given.includes('--readme')) await takeReadmePicture(browser);
    else await takeScreens(browser, given);
  } finally {
    await browser.close();
    await fonts.dispose();
  }
}

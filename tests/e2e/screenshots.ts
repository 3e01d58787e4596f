/** `npm run screenshots`: see --help. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, NO_CHROMIUM } from './chromium.ts';
import { preferScreenFonts } from './pictures/fonts.ts';
import { livelyRoom } from './pictures/lively-room.ts';
import { SCREENS } from './pictures/screens.ts';
import { type Device, deviceOf, Studio, WIDTHS } from './pictures/studio.ts';
import { World } from './pictures/world.ts';

const HELP = `Usage: npm run screenshots -- [options] [NAME…]

Writes a picture of every screen into screenshots/, in both themes, widths and languages, from the demo's world.

  --only NAME   only the screen of this name, or those whose name begins so; may be given again, or as a list with
                commas
  --width N     of a window of N pixels (320 to 3840) instead of 1280 and 390; may be given again, or as a list
  --readme      the picture in the README alone (with fonts-inter installed)
  --help        this text

Screens: ${Object.keys(SCREENS).join(', ')}
`;

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

/** All screens, or those that `names` name: a whole name means one screen, another those that begin so. */
function screensOf(names: readonly string[]) {
  const all = Object.entries(SCREENS);
  if (names.length === 0) return all;
  const isWanted = (name: string) =>
    names.some((wanted) => name === wanted || (!(wanted in SCREENS) && name.startsWith(wanted)));
  return all.filter(([name]) => isWanted(name));
}

async function takeScreens(
  browser: Browser,
  names: readonly string[],
  widths: readonly number[],
): Promise<void> {
  for (const device of widths.map(deviceOf)) {
    await inStudio(browser, device, async (studio) => {
      for (const [name, screen] of screensOf(names)) {
        // A screen that cannot be prepared takes no other with it.
        await screen(studio).then(
          () => console.log(`screenshots: ${name}, ${device.width} wide`),
          (error: unknown) => {
            console.error(`screenshots: ${name}, ${device.width} wide: ${error}`);
            process.exitCode = 1;
          },
        );
        await studio.clear();
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    width: { type: 'string', multiple: true, default: [] },
    readme: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const widths = values.width.flatMap((list) => list.split(',')).map(Number);
const names = [...values.only.flatMap((list) => list.split(',')), ...positionals];
if (values.help) {
  console.log(HELP);
} else if (chromiumPath === undefined) {
  console.error(NO_CHROMIUM);
  process.exitCode = 1;
} else if (screensOf(names).length === 0) {
  console.error(`screenshots: no screen's name begins with ${names.join(' or ')}; see --help`);
  process.exitCode = 1;
} else if (!widths.every((width) => width >= 320 && width <= 3840)) {
  console.error('screenshots: --width takes pixels from 320 to 3840; see --help');
  process.exitCode = 1;
} else {
  // The calendar of the plan, the server and the page is one.
  process.env.TZ = 'UTC';
  const fonts = await preferScreenFonts();
  const browser = await launchChromium(fonts.env);
  try {
    if (values.readme) await takeReadmePicture(browser);
    else await takeScreens(browser, names, widths.length > 0 ? widths : WIDTHS);
  } finally {
    await browser.close();
    await fonts.dispose();
  }
}
